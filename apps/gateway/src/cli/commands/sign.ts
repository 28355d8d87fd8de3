import type { Command } from 'commander'
import type { Shell } from '../shell.ts'

interface Options {
  privateKeyFile?: string
  verify?: string
  publicKeyFile?: string
}

/** What a merchant's developer needs when a signature does not hold. */
export function addSignCommand(program: Command, shell: Shell): void {
  program
    .command('sign [file]')
    .description('sign a request body: show the signed bytes, their digest and X-SIGNATURE')
    .option('--private-key-file <file>', 'RSA private key (PEM); default: the demo merchant’s')
    .option('--verify <signature>', 'verify this X-SIGNATURE instead; if it is invalid, show what was signed')
    .option('--public-key-file <file>', 'RSA public key (PEM) for --verify; default: that of the private key')
    .addHelpText('after', '\nWithout a file, or with -, the body is read from standard input.')
    .action(
      shell.act(async (file: string | undefined, options: Options) =>
        (await import('../actions/sign.ts')).signBody(shell, file ?? '-', options),
      ),
    )
}
