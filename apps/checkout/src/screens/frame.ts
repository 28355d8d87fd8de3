import { attributes, type Html, html } from '@tollgate/runtime/html'
import type { Assets } from '../assets/index.ts'
import { colourOf } from '../branding.ts'
import { LANGUAGE_NAMES, LANGUAGES } from '../messages/index.ts'
import type { Shop } from '../records.ts'
import { copyButton, initialOf, supportAddress } from './parts.ts'
import { amountText, type Page, type StepName, type View } from './view.ts'

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
${page.step !== undefined && steps(view, page.step)}
${heading(page)}
${page.live !== undefined && liveNotice(view)}
${page.content}
${page.panel}
</main>
${footer(view)}
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
  return html`<div class="result result--${icon}"><span class="result__icon" aria-hidden="true">${ICONS[icon]}</span><h1${focus}>${text}</h1></div>`
}

const ICONS = { good: '✓', bad: '✕', wait: '…', back: '↩' } as const

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
  const { texts, shop, money, idPayin, isSandbox } = view
  const name = shop && html`${logoOf(view, shop)} <span class="head__name">${shop.name}</span>`
  const order =
    idPayin !== undefined &&
    html`<span class="sum__order">${texts.say('frame.orderNumber')} <bdi class="ltr" id="order-id">${idPayin}</bdi> ${copyButton(view, { label: texts.say('frame.orderNumber'), value: idPayin, from: 'order-id' })}</span>`
  return html`<header>
${isSandbox && html`<p class="sandbox">${texts.say('frame.sandbox')}</p>`}
<p class="banner" data-enhance="offline" data-offline-back="${texts.say('offline.back')}" hidden>${texts.say('offline.text')}</p>
<div class="head">${name}${languages(view)}</div>
${money !== undefined && html`<p class="sum"><strong class="sum__amount"><bdi>${amountText(view)}</bdi></strong> ${order}</p>`}
</header>`
}

/** The name stands beside it: nobody needs to hear it twice. */
function logoOf({ logo }: View, { name }: Shop): Html {
  if (logo === undefined)
    return html`<span class="head__logo monogram" aria-hidden="true">${initialOf(name)}</span>`
  const { src, width, height } = logo
  return html`<img class="head__logo" alt=""${attributes({ src, width, height })}>`
}

function languages({ base, texts }: View): Html | undefined {
  if (base === '') return undefined
  const items = LANGUAGES.map((language) => {
    const current = language === texts.language ? 'true' : undefined
    return html`<li><a href="${base}?lang=${language}"${attributes({ lang: language, hreflang: language, 'aria-current': current })}>${LANGUAGE_NAMES[language]}</a></li>`
  })
  return html`<details class="languages"><summary><span class="visually-hidden">${texts.say('frame.changeLanguage')}: </span>${LANGUAGE_NAMES[texts.language]}</summary><ul>${items}</ul></details>`
}

const STEPS: readonly StepName[] = ['choose', 'details', 'pay', 'done']

function steps({ texts: { say }, hasChoice }: View, current: StepName): Html {
  const shown = STEPS.filter((step) => hasChoice || step !== 'choose' || step === current)
  const at = shown.indexOf(current)
  const items = shown.map((step, index) => {
    const done = index < at
    const marks = attributes({
      class: done ? 'done' : undefined,
      'aria-current': index === at ? 'step' : undefined,
    })
    const note = done && html`<span class="visually-hidden"> (${say('steps.completed')})</span>`
    return html`<li${marks}>${say(`steps.${step}`)}${note}</li>`
  })
  return html`<ol class="steps" aria-label="${say('steps.label')}">${items}</ol>`
}

function footer({ texts: { say }, shop }: View): Html {
  const address = supportAddress(shop)
  const help =
    shop !== undefined &&
    address !== undefined &&
    html`<p class="foot__help">${say('frame.help')} <a href="${address}" rel="noreferrer noopener">${say('frame.support', { shop: shop.name })}</a></p>`
  return html`<footer class="foot">${help}<p class="foot__secured">${say('frame.secured', { operator: 'Tollgate' })}</p></footer>`
}
