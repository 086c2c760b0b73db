import type { Context } from '../../core/context.js';
import { raw, sql } from '../../core/sql.js';
import { VISIBILITY_LEVELS } from '../format/group-relations.js';
import { columnsOf, timesOf } from './json-sql.js';
import type { AttributeValues } from './json-sql.js';
import type { RelationReader } from './read-relation.js';
import { authorOf, awardsJson, notesJson } from './shared-values.js';

const { internal, private: hidden, public: open } = VISIBILITY_LEVELS;

const snippetValues = (ctx: Context): AttributeValues => ({
  ...columnsOf('x', 'id', 'title', 'description', 'author_id'),
  visibility_level: sql`case x.visibility when 'public' then ${open}::integer when 'internal' then ${internal}::integer
    else ${hidden}::integer end`,
  file_name: sql`x.file_paths[1]`,
  // What is in its files is in the bundle of its repository.
  content: sql`null`,
  ...timesOf('x'),
  author: authorOf(raw('x.author_id')),
  award_emoji: awardsJson('snippet_award_emojis', 'snippet_id', raw('x.id')),
  notes: notesJson(ctx, 'Snippet', 'snippet_id'),
});

/** Snippets of a project: whoever may export it sees all of them. */
export const snippetReader: RelationReader = {
  from: sql`snippets x`,
  container: raw('x.project_id'),
  key: raw('x.id'),
  keyType: 'bigint',
  values: snippetValues,
};
