import type { Line } from './findings.ts'

const PANEL = { width: 300, height: 240, left: 52, top: 40, right: 16, bottom: 40 } as const
const COLORS: Readonly<Record<string, string>> = { ours: '#1a7f5a', theirs: '#b4472d', floor: '#77808a' }

/** Bounds of one axis as powers of ten. */
interface Axis {
  readonly from: number
  readonly to: number
  readonly length: number
}

/**
 * Log length against milliseconds, both on logarithmic axes, as one picture of several panels. It carries its own
 * background, so that it can be read on a dark page as well.
 *
 * @param lines - of all panels; points with values above 0.
 */
export function chart(lines: readonly Line[]): string {
  const panels = [...new Set(lines.map(({ panel }) => panel))]
  const width = panels.length * PANEL.width
  const body = panels.map((panel, index) => `<g transform="translate(${index * PANEL.width} 0)">${panelOf(panel, lines.filter((line) => line.panel === panel))}</g>`)
  const style = 'font-family="system-ui, sans-serif" font-size="11" fill="#24292f"'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${PANEL.height}" width="${width}" height="${PANEL.height}" role="img" aria-label="Milliseconds by log length: ours stays flat, theirs grows" ${style}>`,
    `<rect width="${width}" height="${PANEL.height}" fill="#ffffff"/>`,
    ...body,
    '</svg>\n',
  ].join('\n')
}

function panelOf(title: string, lines: readonly Line[]): string {
  const points = lines.flatMap((line) => line.points)
  const x = axis(points.map(([events]) => events), PANEL.width - PANEL.left - PANEL.right)
  const y = axis(points.map(([, ms]) => ms), PANEL.height - PANEL.top - PANEL.bottom)
  const place = ([events, ms]: readonly [number, number]): string => `${(PANEL.left + offset(x, events)).toFixed(1)},${(PANEL.height - PANEL.bottom - offset(y, ms)).toFixed(1)}`
  return [
    `<text x="${PANEL.left}" y="18" font-weight="600">${title} (ms)</text>`,
    ...ticks(y).map((ms) => horizontal(PANEL.height - PANEL.bottom - offset(y, ms), ms)),
    ...ticks(x).map((events) => `<text x="${PANEL.left + offset(x, events)}" y="${PANEL.height - 22}" text-anchor="middle">${events.toLocaleString('en')}</text>`),
    ...lines.map((line, index) => lineOf(line, index, place)),
  ].join('\n')
}

function horizontal(height: number, ms: number): string {
  return `<line x1="${PANEL.left}" x2="${PANEL.width - PANEL.right}" y1="${height}" y2="${height}" stroke="#d8dee4"/><text x="${PANEL.left - 6}" y="${height + 4}" text-anchor="end">${ms}</text>`
}

function lineOf({ subject, points }: Line, index: number, place: (point: readonly [number, number]) => string): string {
  const color = COLORS[subject] ?? '#24292f'
  const path = points.map(place)
  const dots = path.map((at) => {
    const [x, y] = at.split(',')
    return `<circle cx="${x}" cy="${y}" r="3" fill="${color}"/>`
  })
  return `<polyline points="${path.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join('')}<text x="${PANEL.left + index * 60}" y="33" fill="${color}">${subject}</text>`
}

function axis(values: readonly number[], length: number): Axis {
  return { from: Math.floor(Math.log10(Math.min(...values))), to: Math.ceil(Math.log10(Math.max(...values))), length }
}

function offset({ from, to, length }: Axis, value: number): number {
  return to === from ? 0 : (length * (Math.log10(value) - from)) / (to - from)
}

function ticks({ from, to }: Axis): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => Number(`1e${from + index}`))
}
