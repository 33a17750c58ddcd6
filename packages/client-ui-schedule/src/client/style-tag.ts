/**
 * Put rules into the page, once. The tag names its plugin, so that the page takes it away when it loads a new version.
 *
 * @param id - of the rules.
 * @param owner - id of the loaded plugin.
 * @param css - the rules.
 */
export function addStyleTag(id: string, owner: string, css: string): void {
  if (document.querySelector(`style[data-plugin-css="${id}"]`) !== null) return
  const tag = document.createElement('style')
  tag.dataset['plugin'] = owner
  tag.dataset['pluginCss'] = id
  tag.textContent = css
  document.head.append(tag)
}
