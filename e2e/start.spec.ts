import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { LOOPBACK, anyFreePort } from '../scripts/lib/ports.ts'
import { ROOT, packages } from '../scripts/lib/workspace.ts'
import { runCommand, startCommand, type Running } from './lib/commands.ts'
import { leftovers } from './lib/leftovers.ts'
import { waitFor } from './lib/waiting.ts'

const folders: string[] = []
const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'timekeeper-start-'))
  folders.push(folder)
  return folder
}
afterEach(() => {
  for (const pid of leftovers().map(line => Number(line.split(' ')[0]))) process.kill(pid, 'SIGKILL')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Of what npm reads, elsewhere: a refusal that failed would lay npm's tree over this one. */
const copy = (): string => {
  const folder = temporary()
  for (const name of ['package.json', 'package-lock.json', '.npmrc', 'scripts']) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  return folder
}

const gone = (): Promise<boolean> => waitFor('every process of npm start has ended', () => leftovers().length === 0)

const start = async (home: string, ...words: readonly string[]): Promise<{ running: Running; url: string }> => {
  const port = await anyFreePort()
  const running = startCommand('npm', ['start', '--', '--port', String(port), '--home', home, ...words])
  const url = `http://${LOOPBACK}:${port}`
  await waitFor('npm start says that it is ready', () => running.output().includes('Stop   Ctrl-C'), { timeout: 90_000 })
  return { running, url }
}

describe('npm start', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('serves the page, tells where, and %s leaves no process', async signal => {
    const home = join(temporary(), 'home')
    const { running, url } = await start(home)
    expect((await fetch(url)).status).toBe(200)
    expect(running.output()).toContain(url)
    expect(running.output()).toContain('the offline demo model answers')
    running.child.kill(signal)
    await running.exited
    await gone()
    expect(running.output()).toContain('Stopped.')
  })

  it('leaves no host behind when it is killed itself', async () => {
    const { running } = await start(join(temporary(), 'home'))
    const script = leftovers().find(line => line.includes('scripts/start.ts') && !line.includes('dev.mjs'))
    process.kill(Number(script?.split(' ')[0]), 'SIGKILL')
    await running.exited
    expect(await gone()).toBe(true)
  })

  it('only adds to a home that it is pointed at, and says what and how to undo it', async () => {
    const home = temporary()
    const profile = join(home, 'profiles/web')
    mkdirSync(profile, { recursive: true })
    const own = { name: 'mine', dependencies: { 'is-odd': '3.0.1' }, dsh: { profile: { bundles: ['@deepseek-ai/dsh-base', '@deepseek-ai/dsh-web-app'] } } }
    writeFileSync(join(profile, 'package.json'), JSON.stringify(own))
    writeFileSync(join(profile, 'cordis.patch.yml'), '# my rows\n[]\n')
    const { running } = await start(home)
    expect(running.output()).toContain(`folder  ${join(profile, 'node_modules/dsh-timekeeper')}`)
    expect(running.output()).toContain('To undo')
    running.child.kill('SIGTERM')
    await running.exited
    const bundles = [...own.dsh.profile.bundles, ...packages().flatMap(({ name, manifest }) => (manifest.dsh?.bundle === undefined ? [] : [name]))]
    expect(JSON.parse(readFileSync(join(profile, 'package.json'), 'utf8'))).toEqual({ ...own, dsh: { profile: { bundles } } })
    expect(readFileSync(join(profile, 'cordis.patch.yml'), 'utf8')).toBe('# my rows\n[]\n')
    expect(existsSync(join(home, 'settings.yaml'))).toBe(false)
  })

  it('does not touch a package of ours that came from elsewhere', async () => {
    const home = temporary()
    const foreign = join(home, 'profiles/web/node_modules/dsh-timekeeper')
    mkdirSync(foreign, { recursive: true })
    writeFileSync(join(foreign, 'package.json'), '{"name":"dsh-timekeeper","version":"9.9.9"}')
    const { code, output } = await runCommand('npm', ['start', '--', '--home', home])
    expect(code).toBe(1)
    expect(output).toContain(`${foreign} was not put there by this checkout`)
    expect(output).not.toMatch(/^\s+at /m)
    expect(existsSync(join(home, 'profiles/web/package.json'))).toBe(false)
  })

  it('refuses a port that is taken, and a word that is no port', async () => {
    const server = createServer()
    const port = await anyFreePort()
    await new Promise<void>(resolve => server.listen(port, LOOPBACK, resolve))
    const taken = await runCommand('npm', ['start', '--', '--port', String(port)])
    await new Promise(resolve => server.close(resolve))
    expect(taken).toMatchObject({ code: 1, output: expect.stringContaining(`Port ${port} is taken`) as unknown })
    expect(await runCommand('npm', ['start', '--', '--port', 'x'])).toMatchObject({ code: 1, output: expect.stringContaining('--port must be a number') as unknown })
  })

  it('does not put a second host on a home that has one', async () => {
    const home = join(temporary(), 'home')
    const { running } = await start(home)
    const second = await runCommand('npm', ['start', '--', '--home', home])
    expect(second).toMatchObject({ code: 1, output: expect.stringContaining('two hosts on one home') as unknown })
    running.child.kill('SIGTERM')
    await running.exited
    expect(existsSync(join(home, '.timekeeper-start.lock'))).toBe(false)
  })

  it('shows the host\'s own words when the host does not boot, and what to do', async () => {
    const home = temporary()
    const patch = join(home, 'bad.patch.yml')
    writeFileSync(patch, "- insert:\n    - id: nobody\n      name: 'dsh-nobody'\n")
    const { code, output } = await runCommand('npm', ['start', '--', '--home', join(home, 'home'), '--patch', patch])
    expect(code).toBe(1)
    expect(output).toContain('dsh-nobody')
    expect(output).toContain('The host did not start')
    await gone()
  })
})

describe('npm install', () => {
  it('is refused at once with a sentence that says what to type', async () => {
    // Without a registry, and so before anything is fetched.
    const { code, output } = await runCommand('npm', ['install', '--registry', `http://${LOOPBACK}:9`], { cwd: copy() })
    expect(code).not.toBe(0)
    expect(output).toContain('There is no install step: type npm start, or npm test')
  })

  it('is refused as npm ci too', async () => {
    expect((await runCommand('npm', ['ci'], { cwd: copy() })).output).toContain('type npm start')
  })

  it('the sentence also comes where engines are not looked at, and pnpm is let through', async () => {
    const folder = copy()
    const refused = await runCommand('npm', ['run', 'preinstall'], { cwd: folder })
    expect(refused.code).toBe(1)
    expect(refused.output).toContain('type  npm start  or  npm test')
    const allowed = await runCommand('node', ['scripts/dev.mjs', 'refuse-npm'], { cwd: folder, env: { npm_config_user_agent: 'pnpm/12.4.2 npm/? node/v24.21.0' } })
    expect(allowed).toEqual({ code: 0, output: '' })
  })
})
