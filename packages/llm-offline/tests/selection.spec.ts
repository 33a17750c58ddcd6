import { describe, expect, it } from 'vitest'
import { isOfflineDefault } from '../src/selection.ts'

const store = (...configured: string[]) => ({ describe: (ref: string) => Promise.resolve({ configured: configured.includes(ref), writable: true }) })
const KEYS = ['DEEPSEEK_API_KEY', 'OTHER_KEY']

describe('the default model', () => {
  it('is the demo only while none of the keys is configured', async () => {
    expect(await isOfflineDefault('auto', KEYS, store())).toBe(true)
    expect(await isOfflineDefault('auto', KEYS, store('OTHER_KEY'))).toBe(false)
    expect(await isOfflineDefault('auto', ['DEEPSEEK_API_KEY'], store('OTHER_KEY'))).toBe(true)
    expect(await isOfflineDefault('auto', [], store())).toBe(true)
  })

  it('can be fixed either way, without looking at keys', async () => {
    expect(await isOfflineDefault('always', KEYS, store('OTHER_KEY'))).toBe(true)
    expect(await isOfflineDefault('never', KEYS, store())).toBe(false)
  })

  it.each([
    [undefined], [null], [{}], [{ describe: 1 }], [{ describe: () => Promise.reject(new Error('unreadable')) }], [{ describe: () => { throw new Error('bad name') } }], [{ describe: () => 'yes' }],
  ])('a key store that cannot answer never brings up the demo', async broken => {
    expect(await isOfflineDefault('auto', KEYS, broken)).toBe(false)
  })
})
