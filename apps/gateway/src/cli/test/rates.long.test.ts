import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { at, expectFailure, expectRefusal, run, runJson, startGateway, temporaryFolder } from './support.ts'

// One gateway for all; each part leaves behind what the next one builds on.

test('rate lists, from the first one to a conversion', async (t) => {
  const environment = await startGateway(t)
  const folder = temporaryFolder(t)
  const file = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }

  await t.test('a list is made once, and is empty at first', async () => {
    const made = await run(
      ['rates', 'create', 'house', '--name', 'House rates', '--base', 'eur'],
      environment,
    )
    assert.equal(made.stdout, 'Created HOUSE in EUR; sheets are stale after 4 days.\n')
    await Promise.all([
      expectRefusal(['rates', 'create', 'HOUSE', '--name', 'x', '--base', 'EUR'], environment, {
        exitCode: 5,
        says: /The code HOUSE is taken/,
      }),
      expectRefusal(
        ['rates', 'create', 'X', '--name', 'x', '--base', 'EUR', '--never-stale', '--stale-after-days', '3'],
        environment,
        { exitCode: 2, says: /contradict/ },
      ),
      expectRefusal(['rates', 'show', 'NONE'], environment, {
        exitCode: 4,
        says: /There is no rate list NONE/,
      }),
      expectRefusal(['rates', 'show', 'HOUSE', '--date', 'soon'], environment, {
        exitCode: 2,
        says: /answers 400: date: must look like 2026-11-2/,
      }),
    ])
    const empty = await run(['rates', 'show', 'HOUSE'], environment)
    assert.match(empty.stdout, /^HOUSE has no sheet in force/)
  })

  await t.test('a file with faults is answered with all of them, and stores nothing', async () => {
    const bad = file('bad.csv', 'currencyCode,mid\nUSD,"0,9"\nGBP,1.2\nCZK,0\n')
    const args = ['rates', 'import', 'HOUSE', bad, '--format', 'csv', '--valid-from', '2025-11-20']
    const outcome = await run(args, environment)
    assert.deepEqual(
      [outcome.exitCode, outcome.stdout, outcome.stderr.trimEnd().split('\n')],
      [
        2,
        '',
        [
          'The operator API answers 400: Nothing was stored: there are 2 faults in the file. (ATTRIBUTE_VALUE_INVALID)',
          'line 2: mid: "0,9" is no number such as 25.3',
          'line 4: mid: 0 is not above zero',
        ],
      ],
    )
    await expectFailure(
      ['rates', 'import', 'HOUSE', join(folder, 'no.csv'), '--format', 'csv'],
      environment,
      {
        exitCode: 2,
        says: /cannot be read: it does not exist/,
      },
    )
  })

  await t.test('a sheet is imported once, a rate set by hand makes another version', async () => {
    const csv = 'currencyCode,unit,buy,sell\nUSD,1,0.90,0.92\nJPY,100,0.60,0.62\n'
    const good = ['rates', 'import', 'HOUSE', '-', '--format', 'CSV', '--valid-from', '2025-11-20']
    const first = await run(good, environment, csv)
    assert.equal(first.stdout, 'Stored version 1, valid from 2025-11-20 00:00:00 UTC, 2 rates.\n')
    const again = await run(good, environment, csv)
    assert.match(again.stdout, /^Known {2}version 1/)
    assert.match(again.stderr, /^1 of 1 sheets existed already/)
    const set = await run(
      ['rates', 'set', 'HOUSE', 'usd', '--mid', '0.95', '--valid-from', '2025-11-20'],
      environment,
    )
    assert.match(set.stdout, /^Version 2 of HOUSE, valid from 2025-11-20/)
    assert.match(set.stdout, /^USD +1 USD in EUR +0\.95 +0\.95 +0\.95$/m)
    const shown = await runJson(['rates', 'show', 'HOUSE'], environment)
    assert.deepEqual(
      [
        at(shown, 'version'),
        at(shown, 'source'),
        at(shown, 'rates', 0, 'currencyCode'),
        at(shown, 'isStale'),
      ],
      [2, 'MANUAL', 'JPY', false],
    )
    assert.match(
      (await run(['rates', 'show', 'HOUSE'], environment)).stdout,
      /^JPY +100 JPY in EUR +0\.6 +0\.61 +0\.62$/m,
    )
    assert.match((await run(['rates', 'list'], environment)).stdout, /^HOUSE +House rates +EUR +2 .* fresh$/m)
  })

  await t.test('money is converted by side and date, and what cannot be is refused', async () => {
    const convert = (...args: readonly string[]): readonly string[] => ['rates', 'convert', 'house', ...args]
    const text = await run(convert('10000', 'jpy', 'eur', '--side', 'buy'), environment)
    assert.equal(text.stdout, '10000 JPY = 60 EUR (BUY, 0.006, version 2)\n')
    const json = await runJson(convert('19', 'eur', 'usd'), environment)
    assert.deepEqual([at(json, 'converted', 'amount'), at(json, 'rates', 0, 'mid')], [20, 0.95])
    await Promise.all([
      expectRefusal(convert('1', 'EUR', 'KWD'), environment, { exitCode: 6, says: /no rate for KWD/ }),
      expectRefusal(convert('1', 'EUR', 'ZZZ'), environment, { exitCode: 6, says: /ZZZ is not known/ }),
      expectRefusal(convert('0', 'EUR', 'USD'), environment, { exitCode: 2, says: /above zero/ }),
      expectRefusal(convert('01.5', 'EUR', 'USD'), environment, { exitCode: 2, says: /above zero/ }),
      expectRefusal(convert('1', 'EUR', 'USD', '--date', '2025-01-01'), environment, {
        exitCode: 6,
        says: /no sheet in force/,
      }),
      expectRefusal(convert('1', 'EUR', 'USD', '--side', 'both'), environment, {
        exitCode: 2,
        says: /--side/,
      }),
    ])
    await runJson(['rates', 'disable', 'HOUSE'], environment)
    await expectRefusal(convert('1', 'EUR', 'USD'), environment, { exitCode: 4, says: /no rate list HOUSE/ })
    assert.match((await run(['rates', 'list'], environment)).stdout, /fresh, disabled$/m)
    await runJson(['rates', 'enable', 'HOUSE'], environment)
  })

  await t.test('a file of many days is stored by day, and an old sheet is said to be stale', async () => {
    const days = Array.from({ length: 25 }, (_, index) => `2025-10-${String(index + 1).padStart(2, '0')}`)
    const cubes = days.map((day) => `<Cube time='${day}'><Cube currency='USD' rate='1.0810'/></Cube>`)
    const ecb = file('ecb.xml', `<Envelope><Cube>${cubes.join('\n')}</Cube></Envelope>`)
    await runJson(['rates', 'create', 'ECB', '--name', 'ECB', '--base', 'EUR'], environment)
    const stored = await run(['rates', 'import', 'ECB', ecb, '--format', 'ecb'], environment)
    const lines = stored.stdout.trimEnd().split('\n')
    assert.deepEqual(
      [lines.length, lines[0], lines.at(-1)],
      [21, '5 sheets before these.', 'Stored version 25, valid from 2025-10-25 00:00:00 UTC, 1 rates.'],
    )
    const stale = await run(['rates', 'convert', 'ECB', '100', 'EUR', 'USD'], environment)
    assert.equal(stale.stdout, '100 EUR = 108.1 USD (MID, 1.081, version 25)\n')
    assert.match(stale.stderr, /^The sheet is stale: it was published \d+ d/)
  })
})
