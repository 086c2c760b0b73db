import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: repository-api.gitbeaker
test('@gitbeaker/rest does the whole cycle of Repositories, RepositoryFiles and Commits', async (t) => {
  const project = await app.build.project();
  const { id } = project;
  const api = new Gitlab({ host: app.url, token: project.owner.token });

  const first = await api.Commits.create(id, 'main', 'Two files', [
    { action: 'create', filePath: 'a', content: 'a\n' },
    { action: 'create', filePath: 'b', content: 'b\n' },
  ]);
  await api.RepositoryFiles.create(id, 'c', 'side', 'c\n', 'Add c', { startBranch: 'main' });
  await api.RepositoryFiles.edit(id, 'c', 'side', 'C\n', 'Change c');
  const file = await api.RepositoryFiles.show(id, 'c', 'side');
  t.is(Buffer.from(file.content, 'base64').toString(), 'C\n');
  t.is(await api.RepositoryFiles.showRaw(id, 'c', 'side'), 'C\n');
  t.is((await api.RepositoryFiles.allFileBlames(id, 'c', 'side'))[0]?.commit.title, 'Change c');

  const comparison = await api.Repositories.compare(id, 'main', 'side');
  t.deepEqual(
    comparison.commits?.map(({ title }) => title),
    ['Add c', 'Change c'],
  );
  t.is(comparison.diffs?.length, 1);
  t.is((await api.Repositories.mergeBase(id, ['main', 'side'])).id, first.id);
  t.is((await api.Repositories.allContributors(id))[0]?.commits, 2);
  const blob = await api.Repositories.showBlob(id, file.blob_id);
  t.like(blob, { size: 2, content: file.content });
  const raw = (await api.Repositories.showBlobRaw(id, file.blob_id)) as unknown;
  t.is(raw instanceof Blob ? await raw.text() : raw, 'C\n');
  const archive = (await api.Repositories.showArchive(id, { fileType: 'zip', sha: 'side' })) as unknown as Blob;
  t.is(Buffer.from(await archive.arrayBuffer()).toString('latin1', 0, 2), 'PK');
  t.is((await api.Repositories.allRepositoryTrees(id, { ref: 'side' })).length, 4);

  const [newest] = await api.Commits.all(id, { refName: 'side' });
  const side = newest!.id;
  t.is((await api.Commits.show(id, side)).title, 'Change c');
  t.is((await api.Commits.showDiff(id, side))[0]?.new_path, 'c');
  t.is((await api.Commits.showSequence(id, side)).count, 4);
  t.deepEqual(
    (await api.Commits.allReferences(id, side)).map(({ name }) => name),
    ['side'],
  );
  t.deepEqual(await api.Commits.allMergeRequests(id, side), []);
  const added = comparison.commits![0]!.id;
  const picked = await api.Commits.cherryPick(id, added, 'main', { message: 'Picked' });
  t.is(picked.message, 'Picked');
  const dry = (await api.Commits.revert(id, picked.id, 'main', { dryRun: true })) as unknown;
  t.deepEqual(dry, { dry_run: 'success' });
  t.is((await api.Commits.revert(id, picked.id, 'main')).title, 'Revert "Picked"');
  await t.throwsAsync(api.Commits.showGPGSignature(id, side), { message: /404|Not Found/ });
  await api.RepositoryFiles.remove(id, 'c', 'side', 'Remove c');
  t.is((await api.Repositories.compare(id, 'main', 'side')).diffs?.length, 0);
});
