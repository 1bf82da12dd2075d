import { describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject, type TestService } from '../../support/service.ts';
import { words } from '../../support/words.ts';

async function store(
  service: TestService,
  key: string,
  machineName: string,
  part: object = {},
): Promise<string> {
  const answer = await service.send(key, 'POST', '/machine/snapshots', { machineName, ...part });
  expect(answer.status).toBe(201);
  return answer.body.id as string;
}

describeEachDatabase((openDatabase) => {
  it('does not report as a change what a capture could not read', async () => {
    const { service, key } = await startProject(openDatabase);
    const silent = (section: string, name: string) => ({
      metadata: { capture: { unknown: [{ section, key: name, reason: 'did not answer' }] } },
    });
    const lock = (version: string) => ({ 'package-lock.json': { zod: version } });
    await store(service, key, 'm', { runtimeVersions: { git: '2.39.5' }, dependencies: lock('3.0.0') });
    await store(service, key, 'm', silent('runtimes', 'git'));
    await store(service, key, 'm', silent('dependencies', 'package-lock.json'));
    await store(service, key, 'm', { runtimeVersions: { git: '2.39.5' }, dependencies: lock('3.0.0') });
    const changes = async (name: string) => {
      const { body } = await service.send(key, 'GET', `/machine/history?key=${encodeURIComponent(name)}`);
      return body.series[0].changes.map((change: { value: string | null }) => change.value);
    };
    expect(await changes('runtimes.git')).toEqual(['2.39.5', null, '2.39.5']);
    expect(await changes('dependencies:package-lock.json/zod')).toEqual(['3.0.0', null, '3.0.0']);
    await store(service, key, 'n', { runtimeVersions: { git: '2.39.5' } });
    await store(service, key, 'n', silent('runtimes', 'git'));
    await store(service, key, 'n', { runtimeVersions: { git: '2.39.5' } });
    const { body } = await service.send(key, 'GET', '/machine/history?key=runtimes.git&machineName=n');
    expect(body.series[0]).toMatchObject({ snapshots: 3, changes: [{ value: '2.39.5' }] });
    const overrides = (text: string) => ({
      metadata: { sources: { 'package.json': { '#overrides': text } } },
    });
    for (const text of ['{"ms":"2.0.0"}', '{"ms":"2.1.0"}']) await store(service, key, 'o', overrides(text));
    const ofFile = encodeURIComponent('dependencies:package.json/#overrides');
    const said = await service.send(key, 'GET', `/machine/history?key=${ofFile}&machineName=o`);
    expect(said.body.series[0].changes.map((change: { value: string }) => change.value)).toEqual([
      '{"ms":"2.0.0"}',
      '{"ms":"2.1.0"}',
    ]);
    const machines = await service.send(key, 'GET', `/machine/machines?keys=${ofFile}&machineName=o`);
    expect(JSON.stringify(machines.body)).toContain('2.1.0');
    const zod = 'dependencies:package-lock.json/zod';
    for (const source of [undefined, undefined, 'git+https://git.example/zod#1'])
      await store(service, key, 'p', {
        dependencies: lock('4.0.0'),
        metadata: { capture: {}, sources: source ? { 'package-lock.json': { zod: source } } : {} },
      });
    const moved = await service.send(key, 'GET', `/machine/history?key=${zod}&machineName=p`);
    const values = ['4.0.0', '4.0.0 from git+https://git.example/zod#1'];
    expect(moved.body.series[0].changes.map(({ value }: { value: string }) => value)).toEqual(values);
    const newest = await service.send(key, 'GET', `/machine/machines?keys=${zod}`);
    expect(JSON.stringify(newest.body)).toContain(`"value":"${values[1]}"`);
    const full = { metadata: { locale: 'de_DE.UTF-8', system: { libc: 'glibc 2.39' } } };
    for (const input of [full, silent('system', 'locale'), full, silent('system', 'libc'), full])
      await store(service, key, 'system', input);
    for (const [name, value] of [
      ['system.locale', 'de_DE.UTF-8'],
      ['metadata.locale', 'de_DE.UTF-8'],
      ['system.libc', 'glibc 2.39'],
    ]) {
      const history = await service.send(key, 'GET', `/machine/history?key=${name}&machineName=system`);
      // A snapshot without the value that does not call it unknown is a change.
      expect(history.body.series[0].changes.map((change: { value: string }) => change.value)).toEqual([
        value,
        null,
        value,
      ]);
    }
  });

  describe('the list of machines', () => {
    it('has each machine once, by name, with its newest snapshot and the values asked for', async () => {
      const { service, key } = await startProject(openDatabase);
      const other = await service.bootstrap('another');
      await store(service, other.apiKey, 'not-ours');
      await store(service, key, 'b', { runtimeVersions: { node: '20.0.0' } });
      const newest = await store(service, key, 'b', {
        os: 'linux',
        runtimeVersions: { node: '22.0.0' },
        dependencies: { 'packages/api/package-lock.json': { '@types/node': '22.1.0' } },
        envVars: { TOKEN: 'canary' },
        metadata: { system: { libc: 'glibc 2.36' } },
      });
      await store(service, key, 'a');
      const keys = words`
        os runtimes.node dependencies:packages/api/package-lock.json/@types/node env:TOKEN
        env:NONE system.libc`;
      const query = `keys=${encodeURIComponent(keys.join(','))}`;
      const { status, body } = await service.send(key, 'GET', `/machine/machines?${query}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ total: 2, limit: 50, offset: 0 });
      expect(body.machines.map((machine: { machineName: string }) => machine.machineName)).toEqual([
        'a',
        'b',
      ]);
      expect(body.machines[1]).toMatchObject({
        snapshots: 2,
        latest: { id: newest, runtimeVersions: { node: '22.0.0' } },
        values: keys.map((name, index) => ({
          key: name,
          value: ['linux', '22.0.0', '22.1.0', 'value 1', null, 'glibc 2.36'][index],
        })),
      });
      expect(JSON.stringify(body)).not.toContain('canary');
      const page = await service.send(key, 'GET', '/machine/machines?limit=1&offset=1');
      expect(page.body.machines).toHaveLength(1);
      expect(page.body.machines[0].machineName).toBe('b');
    });

    it('says which values of a variable are equal and which cannot be compared, and shows none', async () => {
      const { service, key } = await startProject(openDatabase);
      const captures: [values: Record<string, string>, capture: object][] = [
        [{ TZ: 'canary-a', TOKEN: '[redacted]' }, {}],
        [{ TZ: 'canary-b', TOKEN: `hmac:${'1'.repeat(32)}` }, { fingerprintKey: 'own-1' }],
        [{ TZ: 'canary-a', TOKEN: `hmac:${'2'.repeat(32)}` }, { fingerprintKey: 'own-2' }],
        [{ TOKEN: `hmac:${'1'.repeat(32)}` }, { fingerprintKey: 'own-1' }],
        [{ TZ: '', TOKEN: '' }, { envValues: 'none' }],
      ];
      for (const [place, [envVars, capture]] of captures.entries())
        await store(service, key, `m${place}`, { envVars, metadata: { capture } });
      const { body } = await service.send(key, 'GET', '/machine/machines?keys=env:TZ,env:TOKEN');
      const valuesOf = (place: number) =>
        body.machines.map(({ values }: { values: { value: string }[] }) => values[place]?.value);
      expect(valuesOf(0)).toEqual(['value 1', 'value 2', 'value 1', null, 'set']);
      expect(valuesOf(1)).toEqual(['set', 'value 1', 'set', 'value 1', 'set']);
      expect(JSON.stringify(body)).not.toContain('canary');
    });

    it('has one order on every database, whatever its language', { tags: 'both-databases' }, async () => {
      const { service, key } = await startProject(openDatabase);
      if (openDatabase.databaseName === 'postgresql')
        for (const table of ['machines', 'snapshots'])
          await service.database.run(
            service.database.dialect.builder.raw(
              'alter table ?? alter column machine_name type text collate "und-x-icu"',
              [table],
            ),
          );
      const names = ['B', 'Z', '_x', 'a', 'a-1', 'a1', 'b', 'ä', '🎉'];
      for (const name of names.toReversed()) await store(service, key, name);
      const listed: string[] = [];
      for (let offset = 0; offset < names.length; offset += 4) {
        const { body } = await service.send(key, 'GET', `/machine/machines?limit=4&offset=${offset}`);
        for (const { machineName } of body.machines) listed.push(machineName);
      }
      expect(listed).toEqual(names);
    });
  });

  describe('the history of a value', () => {
    it('has only the changes, for each machine, oldest first', async () => {
      const { service, key } = await startProject(openDatabase);
      const ids: string[] = [];
      for (const node of ['20.0.0', '20.0.0', '22.0.0', null, '22.0.0'])
        ids.push(await store(service, key, 'a', node === null ? {} : { runtimeVersions: { node } }));
      await store(service, key, 'b', { runtimeVersions: { node: '18.0.0' } });
      const { status, body } = await service.send(key, 'GET', '/machine/history?key=runtimes.node');
      expect(status).toBe(200);
      expect(body).toMatchObject({ key: 'runtimes.node', scanned: 6, total: 6 });
      expect(body.series).toMatchObject([
        {
          machineName: 'a',
          snapshots: 5,
          changes: [
            { snapshotId: ids[0], value: '20.0.0' },
            { snapshotId: ids[2], value: '22.0.0' },
            { snapshotId: ids[3], value: null },
            { snapshotId: ids[4], value: '22.0.0' },
          ],
        },
        { machineName: 'b', snapshots: 1, changes: [{ value: '18.0.0' }] },
      ]);
      const one = await service.send(key, 'GET', '/machine/history?key=runtimes.node&machineName=b');
      expect(one.body).toMatchObject({ scanned: 1, total: 1, series: [{ machineName: 'b' }] });
      const few = await service.send(key, 'GET', '/machine/history?key=runtimes.node&snapshots=2');
      expect(few.body).toMatchObject({ scanned: 2, total: 6 });
    });

    it('follows dependencies, files with slashes and keys such as __proto__ too', async () => {
      const { service, key } = await startProject(openDatabase);
      const lock = (version: string) => ({
        dependencies: JSON.parse(`{"a/b.lock":{"__proto__":"${version}"}}`),
      });
      await store(service, key, 'm', lock('1'));
      await store(service, key, 'm', lock('2'));
      const { body } = await service.send(key, 'GET', '/machine/history?key=dependencies:a/b.lock/__proto__');
      expect(body.series[0].changes.map((change: { value: string }) => change.value)).toEqual(['1', '2']);
      const none = await service.send(key, 'GET', '/machine/history?key=runtimes.__proto__');
      expect(none.body.series[0].changes).toMatchObject([{ value: null }]);
    });

    it('follows facts, whose names hold dots and whose values may be lists', async () => {
      const { service, key } = await startProject(openDatabase);
      const withFacts = (facts: Record<string, unknown>) => ({ metadata: { facts } });
      await store(
        service,
        key,
        'm',
        withFacts({ 'limits.openFiles': 1024, 'cpu.features': ['avx', 'avx2'] }),
      );
      await store(service, key, 'm', withFacts({ 'limits.openFiles': 256, 'cpu.features': ['avx'] }));
      await store(service, key, 'm', withFacts({ 'limits.openFiles': 256, 'cpu.features': ['avx'] }));
      const valuesOf = async (fact: string) => {
        const { body } = await service.send(key, 'GET', `/machine/history?key=facts.${fact}`);
        return body.series[0].changes.map((change: { value: string }) => change.value);
      };
      expect(await valuesOf('limits.openFiles')).toEqual(['1024', '256']);
      expect(await valuesOf('cpu.features')).toEqual(['avx, avx2', 'avx']);
      const query = '/machine/machines?keys=facts.limits.openFiles';
      const { body } = await service.send(key, 'GET', query);
      expect(body.machines[0].values).toEqual([{ key: 'facts.limits.openFiles', value: '256' }]);
    });

    it('says that a variable changed, and back, but never its value', async () => {
      const { service, key } = await startProject(openDatabase);
      for (const value of ['canary-one', 'canary-two', 'canary-one'])
        await store(service, key, 'm', { envVars: { TOKEN: value } });
      const { body } = await service.send(key, 'GET', '/machine/history?key=env:TOKEN');
      const values = body.series[0].changes.map((change: { value: string }) => change.value);
      expect(values).toEqual(['value 1', 'value 2', 'value 1']);
      expect(JSON.stringify(body)).not.toContain('canary');
    });

    it('refuses what is not a key, and says how keys are written', async () => {
      const { service, key } = await startProject(openDatabase);
      for (const query of ['key=node', 'key=', 'key=dependencies:zod', '', 'key=os&snapshots=0']) {
        const { status, body } = await service.send(key, 'GET', `/machine/history?${query}`);
        expect([query, status]).toEqual([query, 400]);
        expect(body.code).toBe('validation_failed');
      }
      const { body } = await service.send(key, 'GET', '/machine/history?key=node');
      expect(body.error).toContain('runtimes.NAME');
      expect((await service.send(key, 'GET', '/machine/machines?keys=os,node')).status).toBe(400);
    });
  });
});
