import test from 'ava';
import type {
  ArchiveAttribute,
  ArchiveAttributes,
  ArchiveRelation,
} from '../../../shared/archives/format/attributes.js';
import { groupAttributes, groupRelations } from '../../../shared/archives/format/group-relations.js';
import {
  ALL_GROUPS_FILE,
  entryKind,
  groupFile,
  groupRelationFile,
  groupWikiFile,
  PROJECT_BUNDLE,
  PROJECT_FILE,
  PROJECT_WIKI_BUNDLE,
  projectRelationFile,
  snippetBundle,
  VERSION_FILE,
} from '../../../shared/archives/format/layout.js';
import { projectAttributes, projectRelations } from '../../../shared/archives/format/project-relations.js';

test('each file of an archive is told by its name', (t) => {
  t.deepEqual(entryKind(VERSION_FILE), { kind: 'version' });
  t.deepEqual(entryKind(ALL_GROUPS_FILE), { kind: 'all_groups' });
  t.deepEqual(entryKind(groupFile(7)), { kind: 'group', group: 7 });
  t.deepEqual(entryKind(groupRelationFile(7, 'labels')), { kind: 'group_relation', group: 7, relation: 'labels' });
  t.deepEqual(entryKind(groupWikiFile(7)), { kind: 'group_wiki', group: 7 });
  t.deepEqual(entryKind(PROJECT_FILE), { kind: 'project' });
  t.deepEqual(entryKind(projectRelationFile('issues')), { kind: 'project_relation', relation: 'issues' });
  t.deepEqual(entryKind(PROJECT_BUNDLE), { kind: 'project_bundle' });
  t.deepEqual(entryKind(PROJECT_WIKI_BUNDLE), { kind: 'project_wiki' });
  t.deepEqual(entryKind(snippetBundle(7)), { kind: 'snippet_bundle', snippet: 7 });
  t.is(entryKind('tree/groups/../7.json'), undefined);
});

/** Every attribute with its path, also of nested objects. */
function* walk(attributes: ArchiveAttributes, path: string): Generator<[string, ArchiveAttribute]> {
  for (const [name, attribute] of Object.entries(attributes)) {
    yield [`${path}.${name}`, attribute];
    if (attribute.is === 'one' || attribute.is === 'many') yield* walk(attribute.of, `${path}.${name}`);
  }
}

const everyAttribute = (
  own: ArchiveAttributes,
  relations: readonly ArchiveRelation[],
): [string, ArchiveAttribute][] => [
  ...walk(own, 'self'),
  ...relations.flatMap(({ name, attributes }) => [...walk(attributes, name)]),
];

test('what an object refers to is in its own relation or in one before it', (t) => {
  for (const relations of [groupRelations, projectRelations]) {
    const declared = new Set(['groups', 'projects', 'users']);
    for (const { name, attributes } of relations) {
      t.false(declared.has(name), name);
      declared.add(name);
      for (const [path, attribute] of walk(attributes, name))
        if (attribute.is === 'ref') t.true(declared.has(attribute.to), path);
    }
  }
});

test('no attribute is a secret or a rendered text', (t) => {
  const all = [
    ...everyAttribute(groupAttributes, groupRelations),
    ...everyAttribute(projectAttributes, projectRelations),
  ];
  // Always null: the public layout has it (section 3).
  const bad = all.map(([path]) => path).filter((path) => /_html$|token|encrypted|password|\.value$/.test(path));
  t.deepEqual(bad, ['members.invite_token', 'project_members.invite_token']);
});
