import { MerchantLogoRemovedSchema, MerchantLogoSchema, OperatorMerchantSchema } from '@tollgate/contract'
import { type Html, html } from '@tollgate/runtime/html'
import { type Shades, shadesOf } from '../colour.ts'
import { actButton, actForm, given, textField, typedInto } from '../forms.ts'
import { ApiRefusal } from '../operator-api.ts'
import { pairs } from '../parts.ts'
import { refusedNote } from '../refused.ts'
import type { Act, Visit } from '../visit.ts'
import { type Merchant, merchantHref, merchantRoute, section } from './merchant-parts.ts'

// What customers see of a merchant.

export function brandPart(visit: Visit, merchant: Merchant): Html {
  const { merchantCode, channel, logo } = merchant
  const shades = shadesOf(channel.primaryColor)
  const shown = html`<div class="brand-look">${preview(merchant, shades)}${pairs([
    ['Name', channel.name],
    ['Colour', colourWords(channel.primaryColor, shades)],
    shades && ['Button text', `${shades.onFill === '#ffffff' ? 'White' : 'Black'}, ${shades.contrast}:1`],
    shades && ['Links', shades.isLink ? 'In the colour' : 'Black: the colour is too light for text'],
    ['Help by email', channel.supportEmail ?? html`<span class="quiet">None</span>`],
    ['Help page', channel.supportUrl ?? html`<span class="quiet">None</span>`],
    [
      'Logo',
      logo === undefined
        ? html`<span class="quiet">None: the first letter stands for it</span>`
        : `${logo.width} × ${logo.height} px`,
    ],
  ])}</div>`
  const changes =
    visit.may('merchants.change') && html`${brandForm(visit, merchant)}${logoPart(visit, merchant)}`
  return html`${section('brand', 'On the payment page', { content: shown })}${changes !== false && section('change-brand', `What customers see of ${merchantCode}`, { says: 'What you leave empty is not shown.', content: changes })}`
}

const colourWords = (colour: string | undefined, shades: Shades | undefined): Html =>
  colour === undefined
    ? html`<span class="quiet">None: the page’s own blue</span>`
    : html`<span class="with">${shades && html`<svg class="key key-big" viewBox="0 0 8 8" aria-hidden="true"><rect width="8" height="8" fill="${shades.fill}"/></svg>`}<span class="code">${colour}</span></span>`

const PLAIN: Shades = {
  fill: '#2b4bd0',
  onFill: '#ffffff',
  contrast: '',
  soft: '#f6f7f9',
  isLink: true,
}

/** The two panes of the payment page in small; colours are attributes of the drawing, because styles inline are refused. */
function preview({ channel }: Merchant, shades: Shades = PLAIN): Html {
  const { fill, onFill, soft } = shades
  const letter = /^\s*(.)/su.exec(channel.name)?.[1]?.toUpperCase() ?? ''
  return html`<div class="shot"><div class="shot-bar" aria-hidden="true"><i></i><i></i><i></i></div><svg viewBox="0 0 300 190" role="img" aria-label="The payment page in the colour of ${channel.name}"><rect width="120" height="190" fill="${soft}"/><rect x="120" width="180" height="190" fill="#ffffff"/><rect x="16" y="18" width="22" height="22" rx="6" fill="${fill}"/><text class="shot-letter" x="27" y="34" fill="${onFill}">${letter}</text><rect x="44" y="26" width="46" height="6" rx="3" fill="#11151b"/><rect x="16" y="62" width="70" height="12" rx="4" fill="#11151b"/><rect x="16" y="84" width="54" height="5" rx="2" fill="#c8cdd5"/><rect x="140" y="20" width="92" height="8" rx="4" fill="#11151b"/><rect x="140" y="42" width="140" height="1" fill="#c8cdd5"/><rect x="140" y="54" width="80" height="6" rx="3" fill="#c8cdd5"/><rect x="140" y="72" width="140" height="1" fill="#c8cdd5"/><rect x="140" y="84" width="64" height="6" rx="3" fill="#c8cdd5"/><rect x="140" y="102" width="140" height="1" fill="#c8cdd5"/><rect x="140" y="114" width="92" height="6" rx="3" fill="#c8cdd5"/><rect x="140" y="146" width="140" height="24" rx="6" fill="${fill}"/><rect x="188" y="155" width="44" height="6" rx="3" fill="${onFill}"/></svg></div>`
}

function brandForm(visit: Visit, { merchantCode, channel }: Merchant): Html {
  const typed = typedInto(visit, 'brand')
  const fields = html`${textField({ name: 'name', label: 'Shop’s name', value: typed.value('name', channel.name), maxLength: 140, isRequired: true })}${textField({ name: 'primaryColor', label: 'Colour', value: typed.value('primaryColor', channel.primaryColor ?? ''), maxLength: 7, isCode: true, placeholder: '#0b57d0', hint: '# and six hex digits' })}${textField({ name: 'supportEmail', label: 'Help by email', value: typed.value('supportEmail', channel.supportEmail ?? ''), type: 'email' })}${textField({ name: 'supportUrl', label: 'Help page', value: typed.value('supportUrl', channel.supportUrl ?? ''), type: 'url', placeholder: 'https://shop.example/help' })}`
  return actForm(visit, { path: merchantHref(merchantCode), verb: 'brand', fields, button: 'Save' })
}

function logoPart(visit: Visit, { merchantCode, logo }: Merchant): Html {
  const path = merchantHref(merchantCode)
  const { isRefused } = typedInto(visit, 'logo')
  const choose = html`<form class="form section-s" method="post" enctype="multipart/form-data" action="${path}/logo${visit.search}">${visit.formToken}<input type="hidden" name="form" value="logo">${isRefused && refusedNote(visit)}<label class="field"><span>Logo</span><input class="input" type="file" name="logo" required accept="image/png,image/jpeg,image/webp,image/svg+xml"><small>PNG, JPEG or WebP to 32 KiB, SVG to 8 KiB</small></label><p class="acts"><button class="btn btn-main">Show this logo</button></p></form>`
  if (logo === undefined) return choose
  return html`${choose}<div class="section-s">${actButton(visit, { path, verb: 'remove-logo', style: 'btn-bad', words: 'Show no logo' })}</div>`
}

export const BRAND_ACTS: Readonly<Record<string, Act>> = {
  brand: {
    permission: 'merchants.change',
    async perform({ api, name }, form) {
      await api.post(`${merchantRoute(name('merchantCode'))}/!change`, OperatorMerchantSchema, {
        body: {
          name: given(form, 'name'),
          primaryColor: given(form, 'primaryColor') ?? null,
          supportEmail: given(form, 'supportEmail') ?? null,
          supportUrl: given(form, 'supportUrl') ?? null,
        },
      })
      return 'brand'
    },
  },
  logo: {
    permission: 'merchants.change',
    takesFile: true,
    async perform({ api, name }, _form, file) {
      if (file === undefined)
        throw new ApiRefusal(400, { code: 'NO_FILE', message: 'Choose a file first. Nothing was changed.' })
      await api.put(`${merchantRoute(name('merchantCode'))}/logo`, MerchantLogoSchema, { file: file.bytes })
      return 'logo'
    },
  },
  'remove-logo': {
    permission: 'merchants.change',
    async perform({ api, name }) {
      await api.remove(`${merchantRoute(name('merchantCode'))}/logo`, MerchantLogoRemovedSchema)
      return 'logo-removed'
    },
  },
}
