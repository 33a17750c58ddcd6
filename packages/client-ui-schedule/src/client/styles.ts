import { addStyleTag } from './style-tag.ts'

const STYLE_ID = 'dsh-client-ui-schedule:receipt'

/**
 * Colours are the page's own, each with a value for a page that names it otherwise. What is out of sight is laid out when
 * it comes near (CSS Containment 2), at the height of two lines until then: of a thousand receipts a few are seen (P5).
 */
const CSS = `
.dsh-receipt{content-visibility:auto;contain-intrinsic-block-size:auto 62px;box-sizing:border-box;width:100%;border:1px solid var(--dsw-alias-border-l2,#8884);border-radius:12px;color:var(--dsw-alias-label-primary,CanvasText);font-size:14px;line-height:20px;overflow:hidden}
.dsh-receipt-head{display:grid;grid-template-columns:16px minmax(0,1fr) 14px;gap:2px 10px;width:100%;box-sizing:border-box;padding:10px 12px;border:0;background:none;color:inherit;font:inherit;text-align:start;cursor:pointer}
.dsh-receipt-head:hover{background:var(--dsw-alias-interactive-bg-hover,#8881)}
.dsh-receipt-head:focus-visible{outline:2px solid var(--dsw-alias-state-business-primary,Highlight);outline-offset:-2px;border-radius:11px}
.dsh-receipt-head>svg{margin-top:2px;color:var(--dsw-alias-label-secondary,GrayText)}
.dsh-receipt-main{display:flex;flex-wrap:wrap;gap:0 8px;min-width:0}
.dsh-receipt-title{min-width:0;color:var(--dsw-alias-label-secondary,GrayText)}
.dsh-receipt-prompt{min-width:0;font-weight:500;overflow-wrap:anywhere;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.dsh-receipt[data-open] .dsh-receipt-prompt{display:block}
.dsh-receipt-meta{grid-column:2;display:flex;flex-wrap:wrap;gap:0 6px;color:var(--dsw-alias-label-secondary,GrayText);font-size:13px;line-height:18px}
.dsh-receipt-meta>span:not(:last-child)::after{content:"·";margin-inline-start:6px}
.dsh-receipt-chevron{transition:transform .12s}
.dsh-receipt[data-open] .dsh-receipt-chevron{transform:rotate(90deg)}
.dsh-receipt-body{padding:6px 12px 12px 38px;font-size:13px;line-height:20px}
.dsh-receipt-body dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:2px 16px;margin:0}
.dsh-receipt-body dt{color:var(--dsw-alias-label-secondary,GrayText)}
.dsh-receipt-body dd{margin:0;overflow-wrap:anywhere}
.dsh-receipt-body p{margin:8px 0 0;color:var(--dsw-alias-label-secondary,GrayText)}
.dsh-receipt-body pre{margin:8px 0 0;max-height:320px;overflow:auto;font:12px/18px var(--ds-font-family-code,monospace);white-space:pre-wrap;overflow-wrap:anywhere}
@media (prefers-reduced-motion:reduce){.dsh-receipt-chevron{transition:none}}
`

/**
 * Put the rules into the page, once.
 *
 * @param owner - id of the loaded plugin.
 */
export function addStyles(owner: string): void {
  addStyleTag(STYLE_ID, owner, CSS)
}
