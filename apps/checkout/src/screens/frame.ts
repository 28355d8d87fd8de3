import { attributes, type Html, html } from '@tollgate/runtime/html'
import type { Assets } from '../assets/index.ts'
import { colourOf } from '../branding.ts'
import { LANGUAGE_NAMES, LANGUAGES } from '../messages/index.ts'
import type { Shop } from '../records.ts'
import { sign } from './icons.ts'
import { copyButton, initialOf, supportAddress } from './parts.ts'
import { addressWith, amountText, type Page, type View } from './view.ts'

/** The whole page: what all screens have in common, and the screen. */
export function frame(view: View, page: Page, assets: Assets): string {
  const { texts } = view
  const { say, language, direction } = texts
  const brand = colourOf(view.shop?.primaryColor)
  const stylesheet = brand === undefined ? assets.stylesheet : assets.stylesheetIn(brand)
  const { script } = assets
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
${refresh(view, page)}
<title>${titleOf(view, page)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheet.path}" integrity="${stylesheet.integrity}" crossorigin="anonymous">
<script type="module" src="${script.path}" integrity="${script.integrity}" crossorigin="anonymous"></script>
</head>
<body class="page">
<a class="visually-hidden skip" href="#content">${say('frame.skip')}</a>
<p role="status" class="visually-hidden" data-announcer></p>
${header(view)}
<main id="content"${liveAttributes(view, page)}>
${heading(page)}
${page.live !== undefined && liveNotice(view)}
${page.content}
${page.panel}
</main>
${footer(view, page)}
</body>
</html>
`.text
}

/** Where there is no script, the page asks again by itself. */
function refresh({ base }: View, { refreshSeconds, refreshUrl = base }: Page): Html | undefined {
  if (refreshSeconds === undefined) return undefined
  return html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}; url=${refreshUrl}"></noscript>`
}

function titleOf(view: View, { tab, heading: text, isFaulty }: Page): string {
  const { say } = view.texts
  const title = tab ?? text
  const named = view.shop === undefined ? title : say('title.withShop', { title, shop: view.shop.name })
  return isFaulty === true ? say('title.faulty', { title: named }) : named
}

function heading({ heading: text, icon, isFaulty }: Page): Html {
  const focus = attributes({ autofocus: isFaulty !== true, tabindex: -1 })
  if (icon === undefined) return html`<h1${focus}>${text}</h1>`
  const seal = icon === 'wait' ? undefined : sign(icon)
  return html`<div class="result"><span class="seal seal--${icon}" aria-hidden="true">${seal}</span><h1${focus}>${text}</h1></div>`
}

function liveAttributes({ base, texts }: View, { live }: Page): Html | undefined {
  if (live === undefined) return undefined
  return attributes({
    'data-enhance': 'live',
    'data-live-state': live,
    'data-live-events': `${base}/events`,
    'data-live-poll': `${base}/state`,
    'data-live-url': base,
    'data-live-changed': texts.say('live.changed'),
  })
}

function liveNotice({ base, texts: { say } }: View): Html {
  return html`<p class="notice" data-live-notice hidden>${say('live.changed')} <a href="${base}">${say('live.show')}</a></p>`
}

function header(view: View): Html {
  const { texts, shop, money, isSandbox } = view
  const sum = money !== undefined && html`<strong class="bar__sum"><bdi>${amountText(view)}</bdi></strong>`
  return html`<header>
${isSandbox && html`<p class="sandbox">${texts.say('frame.sandbox')}</p>`}
<p class="banner" data-enhance="offline" data-offline-back="${texts.say('offline.back')}" hidden>${texts.say('offline.text')}</p>
<div class="bar">${shop && logoOf(view, shop)}${shop && html`<span class="bar__name">${shop.name}</span>`}${sum}${languages(view)}</div>
</header>`
}

/** The name stands beside it: nobody needs to hear it twice. */
function logoOf({ logo }: View, { name }: Shop): Html {
  if (logo === undefined)
    return html`<span class="bar__logo monogram" aria-hidden="true">${initialOf(name)}</span>`
  const { src, width, height } = logo
  return html`<img class="bar__logo" alt=""${attributes({ src, width, height })}>`
}

function languages(view: View): Html | undefined {
  const { texts } = view
  if (view.base === '') return undefined
  const items = LANGUAGES.map((language) => {
    const current = language === texts.language ? 'true' : undefined
    return html`<li><a href="${addressWith(view, `lang=${language}`)}"${attributes({ lang: language, hreflang: language, 'aria-current': current })}>${LANGUAGE_NAMES[language]}</a></li>`
  })
  return html`<details class="languages"><summary>${sign('language')}<span class="visually-hidden">${texts.say('frame.changeLanguage')}: </span><span class="languages__name">${LANGUAGE_NAMES[texts.language]}</span></summary><ul>${items}</ul></details>`
}

/** What is known of the order, and who stands behind the page: beside the screen on a desk, below it on a phone. */
function footer(view: View, { method }: Page): Html {
  const { shop, idPayin } = view
  const { say } = view.texts
  const label = say('frame.orderNumber')
  const order =
    idPayin !== undefined &&
    html`<div><dt>${label}</dt><dd><bdi class="ltr code" id="order-id">${idPayin}</bdi> ${copyButton(view, { label, value: idPayin, from: 'order-id' })}</dd></div>`
  const paying = method !== undefined && html`<div><dt>${say('receipt.method')}</dt><dd>${method}</dd></div>`
  const address = supportAddress(shop)
  const help =
    shop !== undefined &&
    address !== undefined &&
    html`<p class="foot__help"><a href="${address}" rel="noreferrer noopener">${say('frame.support', { shop: shop.name })}</a></p>`
  return html`<footer>
${(order || paying) && html`<dl class="facts">${paying}${order}</dl>`}
<div class="foot"><p class="foot__trust">${sign('lock')}<span>${say('frame.trust')}</span></p>${help}<p>${say('frame.secured', { operator: 'Tollgate' })}</p></div>
</footer>`
}
