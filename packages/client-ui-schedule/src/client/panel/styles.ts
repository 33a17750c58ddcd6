import { addStyleTag } from '../style-tag.ts'

const STYLE_ID = 'dsh-client-ui-schedule:panel'

/** Colours are the page's own, each with a value for a page that names it otherwise. */
const CSS = `
.dsh-rem-layer{position:fixed;inset:0;z-index:200;pointer-events:auto;background:var(--dsw-alias-bg-mask-1,#0003);display:flex;justify-content:flex-end}
.dsh-rem-panel{display:flex;flex-direction:column;box-sizing:border-box;width:min(460px,100vw);height:100%;border-inline-start:1px solid var(--dsw-alias-border-l2,#8884);background:var(--dsw-specific-menu,Canvas);box-shadow:var(--dsw-shadow-lv3,0 8px 24px #0003);color:var(--dsw-alias-label-primary,CanvasText);font-size:14px;line-height:20px;animation:dsh-rem-in .16s ease-out}
@keyframes dsh-rem-in{from{transform:translateX(16px);opacity:.4}}
.dsh-rem-panel :is(h2,h3,p,ul,figure){margin:0;padding:0}
.dsh-rem-panel:focus{outline:none}
.dsh-rem-panel :is(button,input,a):focus-visible{outline:2px solid var(--dsw-alias-state-business-primary,Highlight);outline-offset:1px}
.dsh-rem-panel button{min-height:28px;padding:3px 10px;border:1px solid var(--dsw-alias-border-l3,#8886);border-radius:8px;background:none;color:inherit;font:inherit;font-size:13px;line-height:18px;cursor:pointer}
.dsh-rem-panel button:hover{background:var(--dsw-alias-interactive-bg-hover,#8882)}
.dsh-rem-panel input{flex:1;min-width:0;box-sizing:border-box;height:34px;padding:0 10px;border:1px solid var(--dsw-alias-border-l3,#8886);border-radius:8px;background:transparent;color:inherit;font:inherit}
.dsh-rem-panel input::placeholder{color:var(--dsw-alias-label-secondary,GrayText);opacity:1}
.dsh-rem-panel input[aria-invalid=true]{border-color:var(--dsw-alias-state-error-primary,#d33)}
.dsh-rem-panel button.dsh-rem-main{border-color:transparent;background:var(--dsw-alias-label-primary,CanvasText);color:var(--dsw-specific-menu,Canvas);font-weight:500}
.dsh-rem-panel button.dsh-rem-main[aria-disabled=true]{border-color:var(--dsw-alias-border-l3,#8886);background:none;color:var(--dsw-alias-label-secondary,GrayText);cursor:default}
.dsh-rem-head{display:flex;align-items:center;gap:10px;padding:14px 16px;border-bottom:1px solid var(--dsw-alias-border-l1,#8883)}
.dsh-rem-head h2{font-size:16px;line-height:24px;font-weight:600}
.dsh-rem-status{flex:1;color:var(--dsw-alias-label-secondary,GrayText);font-size:13px}
.dsh-rem-status[data-status=unconfirmed],.dsh-rem-error{color:color-mix(in srgb,var(--dsw-alias-state-error-primary,#c22) 80%,var(--dsw-alias-label-primary,CanvasText))}
.dsh-rem-panel button.dsh-rem-close{display:grid;place-items:center;width:32px;height:32px;padding:0;border-color:transparent}
.dsh-rem-body{flex:1;min-height:0;overflow-y:auto;padding:14px 16px;display:flex;flex-direction:column;gap:16px}
.dsh-rem-create,.dsh-rem-edit{display:flex;flex-direction:column;gap:6px}
.dsh-rem-create>label{font-weight:500}
.dsh-rem-edit{margin-top:8px;font-size:13px}
.dsh-rem-edit>input{flex:none}
.dsh-rem-line{display:flex;gap:8px}
.dsh-rem-line>.dsh-rem-main{min-width:64px}
.dsh-rem-preview{min-height:20px;color:var(--dsw-alias-label-secondary,GrayText);font-size:13px;overflow-wrap:anywhere}
.dsh-rem-chips{display:flex;flex-wrap:wrap;gap:6px;margin-top:6px}
.dsh-rem-chips code{padding:1px 6px;border-radius:6px;background:var(--dsw-alias-interactive-bg-hover,#8882);color:var(--dsw-alias-label-primary,CanvasText);font:12px/18px var(--ds-font-family-code,monospace)}
.dsh-rem-note,.dsh-rem-undo{padding:8px 12px!important;border:1px solid var(--dsw-alias-border-l2,#8884);border-radius:10px;background:var(--dsw-alias-interactive-bg-hover,#8881);font-size:13px;overflow-wrap:anywhere}
.dsh-rem-undo{display:flex;align-items:center;justify-content:space-between;gap:10px}
.dsh-rem-undo>span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.dsh-rem-undo>button{flex:none}
.dsh-rem-panel h3{margin-bottom:8px;font-size:14px;line-height:20px;font-weight:600}
.dsh-rem-count,.dsh-rem-dim,.dsh-rem-left,.dsh-rem-legend{color:var(--dsw-alias-label-secondary,GrayText)}
.dsh-rem-count{font-weight:400}
.dsh-rem-list{display:flex;flex-direction:column;gap:8px;list-style:none}
.dsh-rem-item{padding:10px 12px;border:1px solid var(--dsw-alias-border-l2,#8884);border-radius:10px;font-size:13px}
[data-pending]>.dsh-rem-item{content-visibility:auto;contain-intrinsic-size:auto 128px}
.dsh-rem-prompt{font-size:14px;font-weight:500;overflow-wrap:anywhere;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}
.dsh-rem-when{display:flex;flex-wrap:wrap;gap:0 10px;font-variant-numeric:tabular-nums}
.dsh-rem-dim{font-size:13px;line-height:18px;overflow-wrap:anywhere}
.dsh-rem-actions{display:flex;flex-wrap:wrap;gap:6px;margin-top:8px}
.dsh-rem-more{margin-top:8px}
.dsh-rem-strip-head{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:4px 10px;margin-bottom:6px}
.dsh-rem-legend{display:flex;gap:10px;font-size:12px;line-height:18px}
.dsh-rem-legend>span{display:inline-flex;align-items:center;gap:3px}
.dsh-rem-spans{display:flex;gap:4px}
.dsh-rem-panel .dsh-rem-spans button{min-height:24px;padding:1px 9px;border-color:transparent}
.dsh-rem-panel .dsh-rem-spans button[aria-pressed=true]{border-color:var(--dsw-alias-border-l3,#8886);background:var(--dsw-alias-interactive-bg-hover,#8882);font-weight:600}
.dsh-rem-strip>svg{display:block;overflow:visible}
.dsh-rem-strip text{fill:var(--dsw-alias-label-secondary,GrayText);font-size:11px}
.dsh-rem-past{fill:var(--dsw-alias-interactive-bg-hover,#8881)}
.dsh-rem-axis{stroke:var(--dsw-alias-border-l3,#8886)}
.dsh-rem-now{stroke:var(--dsw-alias-label-primary,CanvasText);stroke-width:1.5}
.dsh-rem-mark{stroke-width:1.6;fill:none;stroke:currentColor}
.dsh-rem-delivered{color:var(--dsw-alias-state-success-primary,#2a8a4a)}
.dsh-rem-delivered circle{fill:currentColor}
.dsh-rem-missed{color:var(--dsw-alias-state-error-primary,#c33);stroke-width:2}
.dsh-rem-coming{color:var(--dsw-alias-state-business-primary,#36c)}
.dsh-rem-coming circle{fill:var(--dsw-specific-menu,Canvas)}
.dsh-rem-foot{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:8px 12px;padding:10px 16px;border-top:1px solid var(--dsw-alias-border-l1,#8883);font-size:13px}
.dsh-rem-foot a{color:inherit;text-decoration:underline;text-underline-offset:2px}
@media (max-width:480px){.dsh-rem-panel{border:0}.dsh-rem-panel button{min-height:34px}}
@media (prefers-reduced-motion:reduce){.dsh-rem-panel{animation:none}}
`

/**
 * Put the rules into the page, once.
 *
 * @param owner - id of the loaded plugin.
 */
export function addPanelStyles(owner: string): void {
  addStyleTag(STYLE_ID, owner, CSS)
}
