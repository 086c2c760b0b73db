import test from 'ava';
import { useApp } from './app.js';
import { enteredFiles } from './entered-files.js';

// A process of its own: what other requests run would be counted too.

const app = useApp(test);

/** The files of domains that a request goes through, once it has gone the same way before. */
async function getFiles(request: () => Promise<{ status: number }>): Promise<string[]> {
  for (let times = 0; times < 3; times += 1) await request();
  await app.tokens.written();
  return enteredFiles(request);
}

test.serial('whoever follows `GET /projects/:id` opens at most 16 files of domains', async (t) => {
  const { id, owner } = await app.build.project();
  const files = await getFiles(() => app.as(owner).get(`/projects/${id}`));
  t.true(files.length <= 16, files.join('\n'));
});

test.serial(
  'whoever follows `POST /projects/:id/issues/:issue_iid/notes` opens at most 24 files of domains',
  async (t) => {
    const { id, owner } = await app.build.project();
    const { body: issue } = await app.as(owner).post(`/projects/${id}/issues`, { title: 'Broken' });
    const files = await getFiles(() =>
      app.as(owner).post(`/projects/${id}/issues/${issue.iid}/notes`, { body: 'Fixed.' }),
    );
    t.true(files.length <= 24, files.join('\n'));
  },
);
