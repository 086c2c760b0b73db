import test from 'ava';
import { Gitlab } from '@gitbeaker/rest';
import { ROOT_TOKEN, startService } from '../../core/processes.js';

// Contract: delivery-3.gitbeaker
test('@gitbeaker/rest starts a pipeline, moves it by commit statuses, and deletes it', async (t) => {
  const service = await startService(t, { workers: 0 });
  const client = new Gitlab({ host: service.url, token: ROOT_TOKEN });
  const { id } = await client.Projects.create({ name: 'Rocket', initializeWithReadme: true });

  const created = await client.Pipelines.create(id, 'main', {
    variables: [{ key: 'DEPLOY', value: 'yes', variable_type: 'env_var' }],
  });
  t.is(created.status, 'pending');
  t.deepEqual(await client.Pipelines.allVariables(id, created.id), [
    { key: 'DEPLOY', value: 'yes', variable_type: 'env_var', raw: false } as never,
  ]);

  const { sha } = created;
  await client.Commits.editStatus(id, sha, 'running', { name: 'build', pipelineId: created.id });
  t.is((await client.Pipelines.show(id, created.id)).status, 'running');
  await client.Commits.editStatus(id, sha, 'failed', { name: 'build', pipelineId: created.id });
  t.is((await client.Pipelines.showLatest(id)).status, 'failed');

  t.is((await client.Pipelines.retry(id, created.id)).status, 'pending');
  t.is((await client.Pipelines.cancel(id, created.id)).status, 'canceled');
  t.deepEqual(
    (await client.Commits.allStatuses(id, sha)).map(({ name, status }) => [name, status]),
    [['build', 'canceled']],
  );
  t.is((await client.Jobs.all(id, { pipelineId: created.id })).length, 1);
  t.is((await client.Jobs.all(id)).length, 2, 'the retried one as well');

  t.deepEqual(
    (await client.Pipelines.all(id)).map((pipeline) => pipeline.id),
    [created.id],
  );
  await client.Pipelines.remove(id, created.id);
  t.deepEqual(await client.Pipelines.all(id), []);
});

// Contract: delivery-6.gitbeaker
test('@gitbeaker/rest commits, reads and deletes files, branches and tags', async (t) => {
  const service = await startService(t, { workers: 0 });
  const client = new Gitlab({ host: service.url, token: ROOT_TOKEN });
  const { id } = await client.Projects.create({ name: 'Rocket', initializeWithReadme: true });

  const commit = await client.Commits.create(id, 'main', 'Two files', [
    { action: 'create', filePath: 'src/a.txt', content: 'a\n' },
    { action: 'create', filePath: 'src/b.txt', content: 'b\n' },
  ]);
  t.is((await client.Commits.show(id, commit.id)).title, 'Two files');
  t.deepEqual(
    (await client.Commits.all(id)).map(({ title }) => title),
    ['Two files', 'Initial commit'],
  );
  t.deepEqual(
    (await client.Commits.allReferences(id, commit.id)).map(({ name }) => name),
    ['main'],
  );

  await client.RepositoryFiles.create(id, 'src/c.txt', 'main', 'c\n', 'Third');
  await client.RepositoryFiles.edit(id, 'src/c.txt', 'main', 'C\n', 'Upper case');
  const file = await client.RepositoryFiles.show(id, 'src/c.txt', 'main');
  t.is(Buffer.from(file.content, 'base64').toString(), 'C\n');
  t.is((await client.RepositoryFiles.allFileBlames(id, 'src/c.txt', 'main'))[0]?.commit.id, file.last_commit_id);
  await client.RepositoryFiles.remove(id, 'src/c.txt', 'main', 'Gone');
  const tree = await client.Repositories.allRepositoryTrees(id, { recursive: true });
  t.deepEqual(
    tree.map(({ path }) => path),
    ['src', 'README.md', 'src/a.txt', 'src/b.txt'],
  );

  await client.Branches.create(id, 'side', 'main');
  await client.Tags.create(id, 'v1', 'main');
  await client.Branches.remove(id, 'side');
  await client.Tags.remove(id, 'v1');
  t.deepEqual(
    (await client.Branches.all(id)).map(({ name }) => name),
    ['main'],
  );
  t.deepEqual(await client.Tags.all(id), []);
});
