import test from 'ava';
import { useApp } from '../../core/app.js';
import type { Built } from './pushed-files.js';
import { pushFiles } from './pushed-files.js';

const app = useApp(test);
const push = (project: Built, files: Record<string, string | null>) => pushFiles(app, project, files);

/** Languages of a new project with these files, each of so many bytes. */
async function languages(files: Record<string, string | number>): Promise<Record<string, number>> {
  const project = await app.build.project({ empty: true });
  const contents = Object.entries(files).map(([path, content]) => [
    path,
    typeof content === 'number' ? 'x'.repeat(content) : content,
  ]);
  await push(project, Object.fromEntries(contents));
  return (await app.as(project.owner).get(`/projects/${project.id}/languages`)).body;
}

// Contract: projects-1.languages
test('languages are told in percent of their bytes, without data, prose and what others wrote', async (t) => {
  const project = await app.build.project({ empty: true });
  await push(project, {
    'a.ts': 'x'.repeat(600),
    'b.py': 'y'.repeat(300),
    Makefile: 'z'.repeat(100),
    'data.json': '1'.repeat(5000),
    'README.md': 'words '.repeat(1000),
    'node_modules/c.js': 'c'.repeat(5000),
    'lib/d.min.js': 'd'.repeat(5000),
  });
  const { status, body } = await app.as(project.owner).get(`/projects/${project.id}/languages`);
  t.is(status, 200);
  t.deepEqual(Object.entries(body as object), [
    ['TypeScript', 60],
    ['Python', 30],
    ['Makefile', 10],
  ]);
  const found = await app.as(project.owner).get('/projects?owned=true&with_programming_language=python');
  t.deepEqual(
    found.body.map(({ id }: { id: number }) => id),
    [project.id],
  );
  await push(project, { 'b.py': null });
  t.false('Python' in (await app.as(project.owner).get(`/projects/${project.id}/languages`)).body);
});

// Contract: projects-1.languages
test('a project without a repository has no languages', async (t) => {
  const project = await app.build.project({ empty: true });
  const { status, body } = await app.as(project.owner).get(`/projects/${project.id}/languages`);
  t.is(status, 200);
  t.deepEqual(body, {});
});

// Contract: projects-1.languages
test('.gitattributes decide what counts, and as what', async (t) => {
  const attributes = [
    'lib/** linguist-vendored',
    'vendor/mine/** -linguist-vendored',
    '*.gen.ts linguist-generated',
    'docs/tool.py linguist-documentation=false',
    '*.foo linguist-language=common-lisp',
    'data.json linguist-detectable',
    'page.html linguist-detectable=false',
  ].join('\n');
  t.deepEqual(
    await languages({
      '.gitattributes': attributes,
      'lib/a.js': 5000,
      'vendor/theirs/b.go': 5000,
      'vendor/mine/b.go': 100,
      'c.gen.ts': 5000,
      'docs/tool.py': 100,
      'docs/other.py': 5000,
      'd.foo': 100,
      'data.json': 100,
      'page.html': 5000,
    }),
    { 'Common Lisp': 25, Go: 25, JSON: 25, Python: 25 },
  );
});

test('a script without an extension is in the language of what runs it', async (t) => {
  const script = (line: string) => `${line}\n`.padEnd(100, '#');
  t.deepEqual(
    await languages({
      'bin/setup': script('#!/bin/bash'),
      'bin/run': script('#!/usr/bin/env -S python3.12 -u'),
      'bin/start': script('#! /usr/bin/env node'),
      'bin/data': 'no script at all\n',
      'bin/odd': script('#!/opt/unheard-of'),
      'bin/late': '#!\nbash\n',
      NOTES: 'text\n',
    }),
    { JavaScript: 33.33, Python: 33.33, Shell: 33.33 },
  );
});

test('a language that is a kind of another counts as that one', async (t) => {
  t.deepEqual(await languages({ 'a.tsx': 300, 'b.ts': 100, 'c.css': 100 }), { TypeScript: 80, CSS: 20 });
});

test('a repository that holds nothing but data and prose has no languages', async (t) => {
  t.deepEqual(await languages({ 'README.md': 100, 'a.json': 100, 'b.txt': 100, 'empty.py': 0 }), {});
});
