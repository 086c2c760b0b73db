import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { readIfThere } from '#launch/files.mjs';
import { readSettings } from '#launch/settings.mjs';
import { BuiltInRunner } from '../../shared/launch/built-in-runner.js';
import { eventually } from '../core/processes.js';

/** A process of the API that notes what it is asked. */
class FakeApi {
  connected = true;
  readonly messages: { problem?: string }[] = [];

  get process(): ChildProcess {
    return this as unknown as ChildProcess;
  }

  send(message: { problem?: string }): void {
    this.messages.push(message);
  }
}

/** A runner whose program notes its token and address, and ends with a code. */
function makeRunner(t: ExecutionContext, code: number) {
  const base = mkdtempSync(path.join(tmpdir(), 'built-in-runner-'));
  const [program, notes] = [path.join(base, 'program'), path.join(base, 'notes')];
  writeFileSync(program, `#!/bin/sh\nread -r token\necho "$token $3" >>'${notes}'\nexit ${code}\n`, { mode: 0o700 });
  const settings = { ...readSettings(), dataDir: base, builtInRunner: 'on' as const };
  const runner = new BuiltInRunner(settings, program, () => undefined);
  t.teardown(async () => {
    await runner.stop();
    rmSync(base, { recursive: true, force: true });
  });
  return { runner, read: () => readIfThere(notes) ?? '' };
}

const count = (api: FakeApi, times: number) => eventually(async () => api.messages.length === times, 20);

test('a runner that ended is started again, by the API of now and at its address', async (t) => {
  const { runner, read } = makeRunner(t, 1);
  const [first, second] = [new FakeApi(), new FakeApi()];
  runner.begin(first.process, 'http://127.0.0.1:1');
  t.is(first.messages.length, 1);
  runner.start('one');
  await count(first, 2);
  first.connected = false;
  runner.begin(second.process, 'http://127.0.0.1:2');
  t.is(second.messages.length, 1);
  runner.start('two');
  await count(second, 2);
  t.is(read(), 'one http://127.0.0.1:1\ntwo http://127.0.0.1:2\n');
  t.is(first.messages.length, 2);
});

test('an API that could make no token is asked again; one that wants no runner is not', async (t) => {
  const { runner, read } = makeRunner(t, 1);
  const api = new FakeApi();
  runner.begin(api.process, 'http://127.0.0.1:1');
  runner.start(undefined);
  await count(api, 2);
  runner.start(null);
  t.is(read(), '');
});

test('a machine that can not keep jobs apart is told to the API, and not tried again', async (t) => {
  const { runner } = makeRunner(t, 77);
  const api = new FakeApi();
  runner.begin(api.process, 'http://127.0.0.1:1');
  runner.start('one');
  await count(api, 2);
  t.regex(api.messages[1]?.problem ?? '', /neither bubblewrap nor user namespaces work here/);
});
