import { BASE, EPOCH } from './sizes.js';
import type { Part } from './sizes.js';

/** Draws a topic's number; low ones are drawn far more often. */
const topicOf = (salt: number, topics: number) =>
  `1 + pg_temp.pick(i, ${salt}, ${topics}) * pg_temp.pick(i, ${salt + 1}, ${topics}) / ${topics}`;

/** Topics, and up to three of them on every other project. */
export const topics: Part = {
  name: 'topics',
  statements: (sizes) => [
    `insert into topics (name, title, created_at, updated_at)
     select 'topic-' || i, 'Topic ' || i, ${EPOCH}, ${EPOCH} from generate_series(1, ${sizes.topics}) i`,
    `insert into project_topics (project_id, topic_id)
     select distinct ${BASE} + i, t.id
       from generate_series(2, ${sizes.projects}, 2) i
       cross join lateral (values (${topicOf(61, sizes.topics)}), (${topicOf(63, sizes.topics)}), (${topicOf(65, sizes.topics)})) drawn (number)
       join topics t on t.name = 'topic-' || drawn.number`,
  ],
};
