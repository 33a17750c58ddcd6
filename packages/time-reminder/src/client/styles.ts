const STYLE_ID = 'dsh-time-reminder:clock'

/** Colours are the page's own, each with a value for a page that names it otherwise. */
const CSS = `
.dsh-clock{position:relative;flex:none}
.dsh-clock-button{display:inline-flex;align-items:center;justify-content:center;gap:5px;box-sizing:border-box;width:74px;height:28px;padding:0 8px;border:1px solid transparent;border-radius:8px;background:none;color:var(--dsw-alias-label-secondary,GrayText);font-size:13px;line-height:18px;font-family:inherit;cursor:pointer}
.dsh-clock-button>svg{flex:none}
.dsh-clock-button:hover,.dsh-clock-button[aria-expanded=true]{background:var(--dsw-alias-interactive-bg-hover,#8882);color:var(--dsw-alias-label-primary,CanvasText)}
.dsh-clock :is(button,input):focus-visible{outline:2px solid var(--dsw-alias-state-business-primary,Highlight);outline-offset:1px}
.dsh-clock-short{min-width:38px;text-align:center;white-space:nowrap;font-variant-numeric:tabular-nums}
.dsh-clock-card{position:absolute;top:calc(100% + 6px);right:0;z-index:100;box-sizing:border-box;width:min(340px,calc(100vw - 24px));padding:14px;border:1px solid var(--dsw-alias-border-l2,#8884);border-radius:12px;background:var(--dsw-specific-menu,Canvas);box-shadow:var(--dsw-shadow-lv3,0 8px 24px #0003);color:var(--dsw-alias-label-primary,CanvasText);font-size:13px;line-height:18px;text-align:start;cursor:default}
.dsh-clock-card::before{content:"";position:absolute;inset:-7px 0 auto;height:7px}
.dsh-clock-now{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 10px}
.dsh-clock-time{font-size:26px;line-height:32px;font-weight:500;font-variant-numeric:tabular-nums}
.dsh-clock-zone,.dsh-clock-effect,.dsh-clock-label,.dsh-clock-plan label,.dsh-clock-status{color:var(--dsw-alias-label-secondary,GrayText)}
.dsh-clock-next{margin-top:6px}
.dsh-clock-label{margin-top:12px}
.dsh-clock-modes{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:2px;margin-top:6px;padding:2px;border-radius:9px;background:var(--dsw-alias-interactive-bg-hover,#8882)}
.dsh-clock-modes button{min-height:28px;padding:2px;border:0;border-radius:7px;background:none;color:inherit;font:inherit;cursor:pointer}
.dsh-clock-modes button[aria-checked=true]{background:var(--dsw-specific-menu,Canvas);box-shadow:0 0 0 1px var(--dsw-alias-border-l3,#8886);font-weight:600}
.dsh-clock-card button[aria-disabled=true]{cursor:default}
.dsh-clock-effect{margin:8px 0 0}
.dsh-clock-plan{display:flex;flex-direction:column;gap:4px;margin-top:8px}
.dsh-clock-plan-row{display:flex;gap:6px}
.dsh-clock-plan input{flex:1;min-width:0;box-sizing:border-box;height:30px;padding:0 8px;border:1px solid var(--dsw-alias-border-l3,#8886);border-radius:8px;background:transparent;color:inherit;font:13px/18px var(--ds-font-family-code,monospace)}
.dsh-clock-plan input[aria-invalid=true]{border-color:var(--dsw-alias-state-error-primary,#d33)}
.dsh-clock-plan button,.dsh-clock-retry{height:30px;padding:0 12px;border:1px solid var(--dsw-alias-border-l3,#8886);border-radius:8px;background:none;color:inherit;font:inherit;cursor:pointer}
.dsh-clock-plan button:hover,.dsh-clock-retry:hover,.dsh-clock-reminders:hover{background:var(--dsw-alias-interactive-bg-hover,#8882)}
.dsh-clock-error{color:color-mix(in srgb,var(--dsw-alias-state-error-primary,#c22) 80%,var(--dsw-alias-label-primary,CanvasText));overflow-wrap:anywhere}
.dsh-clock-status{min-height:18px;margin-top:8px}
.dsh-clock-retry{margin-inline-start:8px}
.dsh-clock-reminders{display:flex;justify-content:space-between;box-sizing:border-box;width:100%;margin-top:6px;padding:7px 10px;border:1px solid var(--dsw-alias-border-l2,#8884);border-radius:8px;background:none;color:inherit;font:inherit;font-weight:500;cursor:pointer}
@media (max-width:480px){.dsh-clock-button{width:30px;padding:0}.dsh-clock-short{display:none}.dsh-clock-card{position:fixed;top:52px;right:12px;left:12px;width:auto}.dsh-clock-modes button{min-height:36px}}
`

/**
 * Put the rules into the page, once. The tag names its plugin, so that the page takes it away when it loads a new
 * version.
 *
 * @param owner - id of the loaded plugin.
 */
export function addStyles(owner: string): void {
  if (document.querySelector(`style[data-plugin-css="${STYLE_ID}"]`) !== null) return
  const tag = document.createElement('style')
  tag.dataset['plugin'] = owner
  tag.dataset['pluginCss'] = STYLE_ID
  tag.textContent = CSS
  document.head.append(tag)
}
