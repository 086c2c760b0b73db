import test from 'ava';
import { exportSteps } from '../../archives/exports/export-steps.js';
import { readArchive } from '../../archives/exports/read-archive.js';
import { useApp } from '../../core/app.js';
import { createOwner, createVariable } from './variable-owners.js';

const app = useApp(test);

// Contract: ci-variables.lifetime
test.serial('exports of projects and groups leave variables out', async (t) => {
  const { download } = exportSteps(app);
  for (const kind of ['project', 'group'] as const) {
    const owner = await createOwner(app, kind);
    await createVariable(owner, { key: 'LEFT_OUT', value: 'value-left-out' });
    t.is((await owner.client.post(`/${kind}s/${owner.id}/export`)).status, 202);
    await app.work();
    const { status, bytes } = await download(owner.owner, owner.id, {}, `${kind}s`);
    t.is(status, 200);
    const entries = await readArchive(bytes);
    t.true(entries.length > 0);
    const text = entries.map((entry) => `${entry.name}\n${entry.text}`).join('\n');
    t.notRegex(text, /LEFT_OUT|value-left-out|ci_variables/);
  }
});
