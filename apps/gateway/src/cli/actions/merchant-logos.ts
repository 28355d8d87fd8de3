import { createLogoService, type LogoService, logoUrl } from '../../modules/merchants/index.ts'
import { CommandFailure } from '../failure.ts'
import { readFileOrInput } from '../files.ts'
import { type House, inHouse } from '../house.ts'
import type { Report, Shell } from '../shell.ts'

function inLogos(shell: Shell, work: (logos: LogoService, house: House) => Promise<Report>): Promise<Report> {
  return inHouse(shell, (house) => work(createLogoService(house), house))
}

/** `tollgate merchants set-logo`. */
export async function setLogo(
  shell: Shell,
  code: string,
  { file, isRemoval }: { readonly file: string | undefined; readonly isRemoval: boolean },
): Promise<Report> {
  if ((file === undefined) !== isRemoval) throw new CommandFailure('USAGE', 'Name a file, or say --remove.')
  if (file === undefined) return removeLogo(shell, code)
  const bytes = await readFileOrInput(shell, file)
  return inLogos(shell, async (logos, { config }) => {
    const { hash, mediaType, width, height } = await logos.set(code, bytes)
    const url = logoUrl(config.publicApiUrl, hash)
    return {
      json: { merchantCode: code, logoUrl: url, mediaType, width, height },
      text: `${code} is shown with ${url} (${mediaType}, ${width} × ${height}).`,
    }
  })
}

function removeLogo(shell: Shell, code: string): Promise<Report> {
  return inLogos(shell, async (logos) => {
    await logos.remove(code)
    return { json: { merchantCode: code, removed: true }, text: `${code} is shown without a logo.` }
  })
}
