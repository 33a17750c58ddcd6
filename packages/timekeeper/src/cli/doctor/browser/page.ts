import { jsonLine } from 'dsh-time-core'
import { textsOf, type Language } from '../../texts/texts.ts'
import { measure } from './measure.ts'
import { MAX_AGENT } from './report.ts'

/**
 * What the page may do: run its own script, and ask whom it came from.
 *
 * @param nonce - known to this one answer only.
 */
export function pagePolicy(nonce: string): string {
  const only = `'nonce-${nonce}'`
  return `default-src 'none'; script-src ${only}; style-src ${only}; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

/**
 * The page that a person opens in the browser that is to be compared. It speaks Chinese or English, as the browser does.
 *
 * @param nonce - as in the policy.
 */
export function pageHtml(nonce: string): string {
  const { noScript: english } = wordsIn('en')
  const { noScript: chinese } = wordsIn('zh')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>timekeeper doctor</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>timekeeper doctor</h1>
<div id="said" role="status"></div>
<noscript><p>${english}</p><p lang="zh-CN">${chinese}</p></noscript>
</main>
<script type="module" nonce="${nonce}">${scriptOf()}</script>
</body>
</html>
`
}

function wordsIn(language: Language): ReturnType<typeof textsOf>['doctor']['page'] {
  return textsOf(language).doctor.page
}

/** System colours follow the light or dark of the person. */
const STYLE = `
:root { color-scheme: light dark; font: 100%/1.6 system-ui, sans-serif; color: CanvasText; background: Canvas }
body { margin: 0 }
main { box-sizing: border-box; max-width: 44rem; margin: 0 auto; padding: 2rem 1rem }
h1 { font-size: 1.25rem }
p { overflow-wrap: anywhere }
#said p:first-child { font-weight: 600 }
`

/** Each paragraph is put there as text: nothing that anybody has said becomes markup. */
function scriptOf(): string {
  return `
const words = ${jsonLine({ en: wordsIn('en'), zh: wordsIn('zh') })}
const measure = ${measure.toString()}
const language = /^zh/i.test(navigator.language) ? 'zh' : 'en'
const said = document.getElementById('said')
const say = lines => said.replaceChildren(...lines.map(text => Object.assign(document.createElement('p'), { textContent: text })))
const ask = async (path, init) => {
  const answer = await fetch(path, init)
  if (!answer.ok) throw new Error(String(answer.status))
  return answer.json()
}
document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
say([words[language].comparing])
try {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? '?'
  const questions = await ask('questions?zone=' + encodeURIComponent(zone))
  const body = { zone, language, agent: navigator.userAgent.slice(0, ${MAX_AGENT}), offsets: questions.map(measure) }
  say(await ask('report', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }))
} catch {
  say([words[language].failed])
}
`
}
