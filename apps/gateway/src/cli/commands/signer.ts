import type { Command } from 'commander'
import type { Shell } from '../shell.ts'

const work = () => import('../actions/signer.ts')

/** The process that has the key of the wallet from which payouts on chains leave. */
export function addSignerCommands(program: Command, shell: Shell): void {
  const signer = program
    .command('signer')
    .description('the process with the wallet key for payouts on chains')
  signer
    .command('run <settings>')
    .description('sign the gateway’s requests by the signer’s own rules; logs go to standard error')
    .action(shell.act(async (file: string) => (await work()).runSigner(shell, 'run', file)))
  signer
    .command('check <settings>')
    .description('check the signer’s settings and record; sign nothing')
    .action(shell.act(async (file: string) => (await work()).runSigner(shell, 'check', file)))
  signer
    .command('new-key <file>')
    .description('create the key of a new wallet and print its address')
    .action(shell.act(async (file: string) => (await work()).runSigner(shell, 'new-key', file)))
  signer
    .command('sweep <settings> <plan> <signed>')
    .description('sign a plan of `chains sweep` offline, with the private key of the account')
    .action(
      shell.act(async (settings: string, plan: string, signed: string) =>
        (await work()).runSigner(shell, 'sweep', settings, plan, signed),
      ),
    )
  signer
    .command('sandbox <folder>')
    .description('create a folder with the signer’s settings for the test chain of a sandbox')
    .action(
      shell.act(async (folder: string) =>
        (await import('../actions/chains.ts')).makeTestSigner(shell, folder),
      ),
    )
}
