import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'ava';
import { sql } from 'kysely';
import { createRepository, isPacked, repositoryExists } from '../../../shared/git/index.js';
import { contentPath } from '../../../shared/repositories/repositories/content-ref.js';
import { findContent } from '../../../shared/repositories/repositories/content-repository.finder.js';
import { keepContent } from '../../../shared/repositories/repositories/keep-content.js';
import { sweepContents } from '../../../shared/repositories/repositories/remove-contents.js';
import { MoveRepairer } from '../../../shared/repositories/housekeeping/repair-moves.js';
import { movesFolder } from '../../../shared/repositories/repositories/ref-moves.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);

async function createSnippetContent() {
  const author = await app.build.user();
  const { body } = await app.as(author).post('/snippets', { title: 'A', visibility: 'private', content: 'x' });
  return { kind: 'snippet', of: body.id as number } as const;
}

test('a repository of a snippet is packed after fifty writes, and counted', async (t) => {
  const ctx = app.context();
  const content = await createSnippetContent();
  await keepContent(ctx, content);
  t.false(await isPacked(contentPath(ctx, content)));
  await ctx.query(sql`update content_repositories set writes_since_upkeep = 50 where snippet_id = ${content.of}`);
  await keepContent(ctx, content);
  await keepContent(ctx, content);
  t.true(await isPacked(contentPath(ctx, content)));
  const row = await findContent(ctx, content);
  t.is(row?.writes_since_upkeep, 0);
  t.true((row?.size_bytes ?? 0) > 0);
});

test('a move whose process died is found by its note, and the row read anew', async (t) => {
  const ctx = app.context();
  const content = await createSnippetContent();
  const head = (await findContent(ctx, content))?.head_sha;
  await ctx.query(sql`update content_repositories set head_sha = null where snippet_id = ${content.of}`);
  const folder = movesFolder(ctx);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `snippet-${content.of}.left`), '');
  const repairer = new MoveRepairer(app.services);
  for (let polls = 0; polls < 4; polls += 1) await repairer.poll();
  t.is((await findContent(ctx, content))?.head_sha, head);
  t.true((await readdir(folder)).includes(`snippet-${content.of}.left.settled`));
});

/** Makes a folder old enough for the sweep. */
async function age(folder: string): Promise<void> {
  const past = new Date(Date.now() - 2 * 3_600_000);
  for (const name of await readdir(folder, { recursive: true })) await utimes(join(folder, name), past, past);
  await utimes(folder, past, past);
}

test('a repository that no row knows is removed once it is old, and no other', async (t) => {
  const ctx = app.context();
  const [existing, young, old] = [await createSnippetContent(), 900_000_001, 900_000_002];
  const unknown = [young, old].map((of) => contentPath(ctx, { kind: 'snippet', of }));
  for (const path of unknown) {
    await mkdir(dirname(path), { recursive: true });
    await createRepository(path, 'main');
  }
  await age(contentPath(ctx, existing));
  await age(unknown[1]!);
  await sweepContents(ctx);
  t.true(await repositoryExists(contentPath(ctx, existing)));
  t.true(await repositoryExists(unknown[0]!));
  t.false(await repositoryExists(unknown[1]!));
});
