import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { findIsolation } from '../../shared/runner/isolation.js';

// As a data directory lies in the directory of the service.
test('a directory that is hidden with the one that it lies in changes nothing of how jobs are isolated', (t) => {
  const builds = mkdtempSync(path.join(tmpdir(), 'isolation-'));
  // Not below the directory of temporary files, of which each job has its own anyway.
  const outer = mkdtempSync(path.join(import.meta.dirname, 'hidden-'));
  t.teardown(() => [builds, outer].forEach((directory) => rmSync(directory, { recursive: true, force: true })));
  const inner = path.join(outer, 'data');
  mkdirSync(inner);
  t.is(findIsolation(builds, [outer, inner])?.name, findIsolation(builds, [outer])?.name);
});
