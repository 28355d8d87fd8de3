import type { Command } from 'commander'
import type { CertifyWish } from '../certify/certify.ts'
import type { Shell } from '../shell.ts'
import { gather, httpUrl, wholeNumber } from '../values.ts'

const PORT_DEFAULT = 8090

/** For merchants' developers: whether a shop copes when things go wrong. */
export function addCertifyCommand(program: Command, shell: Shell): void {
  program
    .command('certify')
    .description('test a shop’s callback receiver and reconciliation against this sandbox: twenty cases')
    .requiredOption('--order <url>', 'address of the shop; a POST to it makes an order', httpUrl('--order'))
    .option('--order-form <text>', 'form that is posted there, such as good=mug&method=BANK_TRANSFER')
    .option(
      '--callback <url>',
      'the shop’s callback receiver; default: that of the payment',
      httpUrl('--callback'),
    )
    .option(
      '--return <url>',
      'the shop’s return page, with {idPayin} in it; default: that of the payment',
      httpUrl('--return'),
    )
    .option(
      '--port <port>',
      'port on this machine where the shop calls the gateway',
      wholeNumber('--port', 0, 65_535),
      PORT_DEFAULT,
    )
    .option('--merchant <code>', 'merchant of the shop; default: the sandbox’s demo merchant')
    .option('--only <case>', 'only this case; may be repeated', gather)
    .option('--report <file>', 'write the report as an HTML page')
    .action(
      shell.act(async (wish: CertifyWish) => (await import('../certify/certify.ts')).certify(shell, wish)),
    )
}
