import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, readdirSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'

/** @returns what git prints; `undefined` where there is no git, or the folder is none of its checkouts, as in a downloaded archive */
const git = (folder: string, ...words: readonly string[]): string | undefined => {
  try {
    return execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}

const names = (listed: string): readonly string[] => listed.split('\0').filter(name => name !== '')

/** As git reads them: a name without a slash holds at any depth. */
const ignoredIn = (root: string): readonly string[] =>
  ['.git', ...readFileSync(join(root, '.gitignore'), 'utf8').split('\n').filter(line => line !== '')].map(line => line.replace(/\/$/, '')).map(line => (line.includes('/') ? line : `**/${line}`))

const walk = (root: string, folder: string, ignored: readonly string[]): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (ignored.some(pattern => matchesGlob(path, pattern))) return []
    return entry.isDirectory() ? walk(root, path, ignored) : [path]
  })

/**
 * The files of a checkout, and those that it would take in; in an archive without git, all that are not ignored.
 * @param root a folder with a .gitignore
 * @param extension only files that end so
 * @returns paths with slashes
 */
export const filesOf = (root: string, extension = ''): readonly string[] => {
  const listed = git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate')
  return (listed === undefined ? walk(root, '', ignoredIn(root)) : names(listed)).filter(file => file.endsWith(extension))
}

/** @returns the files of a checkout that a clone does not have as they are; none in an archive without git */
export const uncommittedIn = (root: string): readonly string[] =>
  names(git(root, 'ls-files', '-z', '--modified', '--others', '--exclude-standard', '--deduplicate') ?? '')

/**
 * What somebody gets who clones the checkout. An archive without git is copied.
 * @param root the checkout
 * @param target a folder that does not exist yet
 */
export const cloneInto = (root: string, target: string): void => {
  if (git(root, 'clone', '--quiet', '--no-hardlinks', root, target) !== undefined) return
  for (const file of walk(root, '', ignoredIn(root))) cpSync(join(root, file), join(target, file))
}
