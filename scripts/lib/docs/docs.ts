import { filesOf } from '../checkout.ts'
import { STALE, type Check } from '../check.ts'
import { ROOT } from '../workspace.ts'
import { apiReference, undocumented } from './api-reference.ts'
import { blockFaults } from './blocks.ts'
import { configReference } from './config-reference.ts'
import { staleFiles, writeFiles } from './generated.ts'
import { brokenLinks, unusedImages } from './links.ts'
import { readPages } from './page.ts'
import { unequalPairs } from './pairs.ts'

/** Writes the pages that are made from schemas and docstrings; the packages have to be built. */
export const writeGeneratedPages = (): void => writeFiles([...apiReference(), ...configReference()])

/** What is checked about the docs; the packages have to be built. */
export const DOC_CHECKS: readonly Check[] = [
  { name: 'docs: API and configuration are those of the sources', run: async () => staleFiles([...apiReference(), ...configReference()]).map(file => `${file}: ${STALE}`) },
  { name: 'docs: every export is explained', run: async () => undocumented() },
  { name: 'docs: links, anchors and images', run: async () => [...brokenLinks(readPages(), ROOT), ...unusedImages(readPages(), filesOf(ROOT))] },
  { name: 'docs: blocks compile, parse, or are walked', run: async () => blockFaults(readPages()) },
  { name: 'docs: English and Chinese pages are alike', run: async () => unequalPairs(readPages()) },
]
