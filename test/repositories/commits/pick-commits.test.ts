import test from 'ava';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';

const app = useApp(test);

/** `side` comes from `main` and changes `a` and `b`, each by a commit of Ann's. */
async function projectWithSide() {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}/repository`;
  const commit = async (
    branch: string,
    message: string,
    actions: object[],
    attributes: object = {},
  ): Promise<string> => {
    const { status, body, text } = await owner.post(`${path}/commits`, {
      branch,
      commit_message: message,
      actions,
      ...attributes,
    });
    if (status !== 201) throw new Error(text);
    return body.id as string;
  };
  const ann = { author_name: 'Ann Example', author_email: 'ann@example.com' };
  await commit('main', 'Base', [
    { action: 'create', file_path: 'a', content: 'a\n' },
    { action: 'create', file_path: 'b', content: 'b\n' },
  ]);
  await owner.post(`${path}/branches`, { branch: 'side', ref: 'main' });
  const first = await commit(
    'side',
    'Change a\n\nWith words.',
    [{ action: 'update', file_path: 'a', content: 'A\n' }],
    ann,
  );
  const second = await commit('side', 'Change b', [{ action: 'update', file_path: 'b', content: 'B\n' }], ann);
  const getContent = async (file: string, ref: string) =>
    (await owner.get(`${path}/files/${file}/raw?ref=${ref}`)).text;
  const getHead = async (branch: string) => (await owner.get(`${path}/branches/${branch}`)).body.commit.id as string;
  return { project, owner, path, commit, first, second, contentOf: getContent, headOf: getHead };
}

// Contract: repository-api.cherry-pick
test('cherry-pick does what a commit did on a branch, with its author and date, and says which commit it was', async (t) => {
  const { owner, path, second, contentOf, project } = await projectWithSide();
  const original = (await owner.get(`${path}/commits/${second}`)).body;
  app.clock.advance('1 hour');
  const before = (await owner.get(`${path}/branches/main`)).body.commit.id;
  const { status, body } = await owner.post(`${path}/commits/${second}/cherry_pick`, { branch: 'main' });
  t.is(status, 201);
  t.like(body, {
    message: `Change b\n\n(cherry picked from commit ${second})`,
    parent_ids: [before],
    author_name: 'Ann Example',
    author_email: 'ann@example.com',
    authored_date: original.authored_date,
    committer_name: project.owner.name,
  });
  t.not(body.committed_date, original.committed_date);
  t.deepEqual([await contentOf('a', 'main'), await contentOf('b', 'main')], ['a\n', 'B\n']);
  t.is((await owner.get(`${path}/branches/main`)).body.commit.id, body.id);
});

// Contract: repository-api.cherry-pick
test('a picked commit may have a message of its own, and is named by branch or tag too', async (t) => {
  const { owner, path, contentOf } = await projectWithSide();
  const { status, body } = await owner.post(`${path}/commits/side/cherry_pick`, { branch: 'main', message: 'Mine' });
  t.deepEqual([status, body.message], [201, 'Mine']);
  t.is(await contentOf('b', 'main'), 'B\n');
});

// Contract: repository-api.cherry-pick
test('changes of other lines of one file, and of a file that was renamed meanwhile, are merged', async (t) => {
  const { owner, path, commit, contentOf } = await projectWithSide();
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}\n`);
  await commit('main', 'Long', [{ action: 'create', file_path: 'long', content: lines.join('') }]);
  await owner.post(`${path}/branches`, { branch: 'late', ref: 'main' });
  const picked = await commit('late', 'End', [
    { action: 'update', file_path: 'long', content: [...lines.slice(0, -1), 'the end\n'].join('') },
  ]);
  await commit('main', 'Begin', [
    {
      action: 'move',
      previous_path: 'long',
      file_path: 'moved',
      content: ['the beginning\n', ...lines.slice(1)].join(''),
    },
  ]);
  t.is((await owner.post(`${path}/commits/${picked}/cherry_pick`, { branch: 'main' })).status, 201);
  t.is(await contentOf('moved', 'main'), ['the beginning\n', ...lines.slice(1, -1), 'the end\n'].join(''));
});

// Contract: repository-api.revert
test('revert undoes a commit by one of the caller', async (t) => {
  const { owner, path, first, contentOf, project } = await projectWithSide();
  const { status, body } = await owner.post(`${path}/commits/${first}/revert`, { branch: 'side' });
  t.is(status, 201);
  t.like(body, {
    title: 'Revert "Change a"',
    message: `Revert "Change a"\n\nThis reverts commit ${first}`,
    author_name: project.owner.name,
    committer_name: project.owner.name,
  });
  t.deepEqual([await contentOf('a', 'side'), await contentOf('b', 'side')], ['a\n', 'B\n']);
});

// Contract: repository-api.revert
test('a merge is reverted against its first parent, and the first commit too', async (t) => {
  const { owner, path, project, headOf, contentOf } = await projectWithSide();
  const repository = getRepositoryPath(app.context(), project);
  const merge = plainGit(repository, [
    'commit-tree',
    'side^{tree}',
    '-p',
    await headOf('main'),
    '-p',
    'side',
    '-m',
    'Merge',
  ]);
  await owner.post(`${path}/branches`, { branch: 'merged', ref: merge.trim() });
  t.is((await owner.post(`${path}/commits/merged/revert`, { branch: 'merged' })).status, 201);
  t.deepEqual([await contentOf('a', 'merged'), await contentOf('b', 'merged')], ['a\n', 'b\n']);
  const initial = (await owner.get(`${path}/commits?ref_name=main`)).body.at(-1).id as string;
  t.is((await owner.post(`${path}/commits/${initial}/revert`, { branch: 'main' })).status, 201);
  t.is((await owner.get(`${path}/files/README.md?ref=main`)).status, 404);
  t.is((await owner.post(`${path}/commits/${initial}/cherry_pick`, { branch: 'main' })).status, 201);
  t.is((await owner.get(`${path}/files/README.md?ref=main`)).status, 200);
});

// Contract: repository-api.pick-dry-run
test('a dry run tells whether it could be done, and moves nothing', async (t) => {
  const { owner, path, second, commit, headOf } = await projectWithSide();
  const before = await headOf('main');
  for (const verb of ['cherry_pick', 'revert']) {
    const branch = verb === 'revert' ? 'side' : 'main';
    const { status, body } = await owner.post(`${path}/commits/${second}/${verb}`, { branch, dry_run: true });
    t.deepEqual([status, body], [200, { dry_run: 'success' }]);
  }
  t.deepEqual([await headOf('main'), await headOf('side')], [before, second]);
  await commit('main', 'Else', [{ action: 'update', file_path: 'b', content: 'else\n' }]);
  const { status, body } = await owner.post(`${path}/commits/${second}/cherry_pick`, { branch: 'main', dry_run: true });
  t.is(status, 400);
  t.like(body, { dry_run: 'error', error_code: 'conflict' });
});

// Contract: repository-api.pick-refused
test('what conflicts, and what is there already, is refused in the public words, and nothing moves', async (t) => {
  const { owner, path, second, commit, headOf } = await projectWithSide();
  const conflictMessage = (verb: string, done: string) =>
    `Sorry, we cannot ${verb} this commit automatically. This commit may already have been ${done}, or a more recent commit may have updated some of its content.`;
  const head = await commit('main', 'Else', [{ action: 'update', file_path: 'b', content: 'else\n' }]);
  const pick = async (verb: string, branch: string) => {
    const { status, body } = await owner.post(`${path}/commits/${second}/${verb}`, { branch });
    return [status, body];
  };
  const message = conflictMessage('cherry-pick', 'cherry-picked');
  t.deepEqual(await pick('cherry_pick', 'main'), [400, { message, error_code: 'conflict' }]);
  t.deepEqual(await pick('cherry_pick', 'side'), [400, { message, error_code: 'empty' }]);
  t.deepEqual(await pick('revert', 'main'), [
    400,
    { message: conflictMessage('revert', 'reverted'), error_code: 'conflict' },
  ]);
  t.deepEqual([await headOf('main'), await headOf('side')], [head, second]);
});

// Contract: repository-api.pick-refused
test('ten thousand conflicting files are refused like one', async (t) => {
  const { owner, path, project, headOf } = await projectWithSide();
  const repository = getRepositoryPath(app.context(), project);
  const getTree = (content: string) => {
    const blob = plainGit(repository, ['hash-object', '-w', '--stdin'], content).trim();
    return plainGit(
      repository,
      ['mktree'],
      Array.from({ length: 10_000 }, (_, index) => `100644 blob ${blob}\tconflicting-${index}\n`).join(''),
    ).trim();
  };
  const commit = (tree: string, parent: string) =>
    plainGit(repository, ['commit-tree', tree, '-p', parent, '-m', 'Many']).trim();
  const base = commit(getTree('base\n'), await headOf('main'));
  const [one, other] = [commit(getTree('one\n'), base), commit(getTree('other\n'), base)];
  await owner.post(`${path}/branches`, { branch: 'many', ref: one });
  const { status, body } = await owner.post(`${path}/commits/${other}/cherry_pick`, { branch: 'many' });
  t.is(status, 400);
  t.is(body.error_code, 'conflict');
  t.is(await headOf('many'), one);
});

// Contract: repository-api.pick-rights
test('who may not push to the branch, or names what is not there, picks nothing', async (t) => {
  const { project, path, second, owner } = await projectWithSide();
  const developer = app.as(await app.build.member(project, 'developer'));
  const ask = async (client: typeof owner, verb: string, sha: string, attributes: object) => {
    const { status, body } = await client.post(`${path}/commits/${sha}/${verb}`, attributes);
    return [status, body];
  };
  for (const verb of ['cherry_pick', 'revert']) {
    t.deepEqual(await ask(developer, verb, second, { branch: 'main' }), [
      403,
      { message: '403 Forbidden - You are not allowed to push into this branch' },
    ]);
    const reporter = app.as(await app.build.member(project, 'reporter'));
    t.deepEqual(await ask(reporter, verb, second, { branch: 'side' }), [403, { message: '403 Forbidden' }]);
    t.is((await ask(app.anonymous, verb, second, { branch: 'side' }))[0], 401);
    t.deepEqual(await ask(owner, verb, 'a'.repeat(40), { branch: 'main' }), [404, { message: '404 Commit Not Found' }]);
    t.deepEqual(await ask(owner, verb, second, { branch: 'gone' }), [404, { message: '404 Branch Not Found' }]);
    t.deepEqual(await ask(owner, verb, second, { branch: '' }), [400, { error: 'branch is empty' }]);
    t.deepEqual(await ask(owner, verb, second, {}), [400, { error: 'branch is missing' }]);
  }
  t.is((await ask(developer, 'revert', second, { branch: 'side' }))[0], 201);
});

// Contract: repository-api.pick-rights
test('picks of one branch at once all happen, each on the one before', async (t) => {
  const { owner, path, first, second, contentOf } = await projectWithSide();
  const answers = await Promise.all(
    [first, second].map((sha) => owner.post(`${path}/commits/${sha}/cherry_pick`, { branch: 'main' })),
  );
  t.deepEqual(
    answers.map(({ status }) => status),
    [201, 201],
  );
  t.deepEqual([await contentOf('a', 'main'), await contentOf('b', 'main')], ['A\n', 'B\n']);
});

// Contract: repository-api.sequence
test('the sequence of a commit is the number of commits of its history', async (t) => {
  const { owner, path, project, second, headOf } = await projectWithSide();
  t.deepEqual((await owner.get(`${path}/commits/${second}/sequence`)).body, { count: 4 });
  const repository = getRepositoryPath(app.context(), project);
  const main = await headOf('main');
  const merge = plainGit(repository, ['commit-tree', 'side^{tree}', '-p', main, '-p', 'side', '-m', 'Merge']).trim();
  t.deepEqual((await owner.get(`${path}/commits/${merge}/sequence`)).body, { count: 5 });
  t.deepEqual((await owner.get(`${path}/commits/${merge}/sequence?first_parent=true`)).body, { count: 3 });
  t.is((await owner.get(`${path}/commits/gone/sequence`)).status, 404);
});

// Contract: repository-api.signature
test('a commit without a signature has none to tell; one with a signature is of a key that nobody knows', async (t) => {
  const { owner, path, project } = await projectWithSide();
  const signature = async (sha: string) => {
    const { status, body } = await owner.get(`${path}/commits/${sha}/signature`);
    return [status, body];
  };
  t.deepEqual(await signature('main'), [404, { message: '404 Signature Not Found' }]);
  t.deepEqual(await signature('gone'), [404, { message: '404 Commit Not Found' }]);
  const repository = getRepositoryPath(app.context(), project);
  const [head = '', message = ''] = plainGit(repository, ['cat-file', 'commit', 'main']).split('\n\n');
  const signed = (kind: string) => {
    const text = `${head}\ngpgsig -----BEGIN ${kind}-----\n aaaa\n -----END ${kind}-----\n\n${message}`;
    return plainGit(repository, ['hash-object', '-t', 'commit', '-w', '--stdin'], text).trim();
  };
  const readSignature = async (kind: string) => {
    const [status, body] = await signature(signed(kind));
    return [status, body.signature_type, body.verification_status];
  };
  t.deepEqual(await readSignature('PGP SIGNATURE'), [200, 'PGP', 'unknown_key']);
  t.deepEqual(await readSignature('SSH SIGNATURE'), [200, 'SSH', 'unknown_key']);
  t.deepEqual(await readSignature('SIGNED MESSAGE'), [200, 'X509', 'unverified']);
  // Text in the message does not count as a signature.
  const { body } = await owner.post(`${path}/commits`, {
    branch: 'main',
    commit_message: 'Say\n\ngpgsig -----BEGIN PGP SIGNATURE-----',
    actions: [{ action: 'create', file_path: 'said', content: '' }],
  });
  t.is((await signature(body.id as string))[0], 404);
});
