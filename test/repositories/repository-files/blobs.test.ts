import test from 'ava';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';

const app = useApp(test);

// Contract: repository-api.blob
test('a blob is read by its id, as base64 and as its bytes', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}/repository`;
  const content = Buffer.from([0, 255, 10, 13, 200]);
  const repository = getRepositoryPath(app.context(), project);
  const id = plainGit(repository, ['hash-object', '-w', '--stdin'], content).trim();
  const { status, body } = await owner.get(`${path}/blobs/${id}`);
  t.is(status, 200);
  t.deepEqual(body, { size: 5, encoding: 'base64', content: content.toString('base64'), sha: id });
  const raw = await fetch(`${app.url}/api/v4${path}/blobs/${id}/raw`, {
    headers: { 'PRIVATE-TOKEN': project.owner.token },
  });
  t.deepEqual(Buffer.from(await raw.arrayBuffer()), content);
  t.is(raw.headers.get('content-type'), 'text/plain');
  const empty = plainGit(repository, ['hash-object', '-w', '--stdin'], '').trim();
  t.like((await owner.get(`${path}/blobs/${empty}`)).body, { size: 0, content: '' });
  t.is((await owner.get(`${path}/blobs/${empty}/raw`)).text, '');
});

// Contract: repository-api.blob
test('what is no blob is not found, and content that no answer holds is 413 but for its bytes', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}/repository`;
  const head = (await owner.get(`${path}/commits/main`)).body.id as string;
  for (const below of ['', '/raw'])
    for (const id of [head, 'a'.repeat(40), head.slice(0, 8), 'main', '...', 'HEAD:README.md']) {
      const { status, body } = await owner.get(`${path}/blobs/${encodeURIComponent(id)}${below}`);
      t.deepEqual([status, body], [404, { message: '404 Blob Not Found' }], id);
    }
  const large = plainGit(
    getRepositoryPath(app.context(), project),
    ['hash-object', '-w', '--stdin'],
    Buffer.alloc(11 * 2 ** 20),
  );
  const rejection = await owner.get(`${path}/blobs/${large.trim()}`);
  t.deepEqual([rejection.status, rejection.body], [413, { message: '413 Request Entity Too Large' }]);
  t.is((await owner.get(`${path}/blobs/${large.trim()}/raw`)).text.length, 11 * 2 ** 20);
  t.is((await app.anonymous.get(`${path}/blobs/${head}`)).status, 404);
});
