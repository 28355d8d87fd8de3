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
    .description('show the bytes that are signed, their digest and the X-SIGNATURE of a request body')
    .option('--private-key-file <file>', 'RSA private key (PEM); default: the demo merchant’s')
    .option('--verify <signature>', 'check this X-SIGNATURE instead, and say what was signed when it fails')
    .option('--public-key-file <file>', 'RSA public key (PEM) for --verify; default: of the private key')
    .addHelpText('after', '\nWithout a file, or with -, the body is read from standard input.')
    .action(
      shell.act(async (file: string | undefined, options: Options) =>
        (await import('../actions/sign.ts')).signBody(shell, file ?? '-', options),
      ),
    )
}
