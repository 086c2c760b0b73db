import { ISSUE_PROJECT, PLANNING_PROJECT } from './planning.js';
import { putBack, setAside } from './set-aside.js';
import { BASE, EPOCH } from './sizes.js';
import type { Part, Sizes } from './sizes.js';

/*
 * Every tenth issue has comments, except those in the project with a tenth of all issues. One issue has two hundred
 * threads of five notes on each of five pages; the others share the rest.
 */

/** Threads of the issue with the most comments, and notes in each: 1,000 and 5 at scale 1. */
const BUSY_NOTES = 5;
const busyThreads = (sizes: Sizes): number => Math.max(1, Math.round(sizes.busyNotes / BUSY_NOTES));

/** The issue with the most comments: one that no other thread is about. */
const BUSY = `
  select i.id, i.project_id, i.created_at from issues i
   where i.project_id = ${ISSUE_PROJECT} and i.id % 10 <> 1 order by i.iid limit 1`;

/** Another issue with this number of single comments: for the list of the Notes API. */
const SINGLES = 200;
const PLAIN = `
  select i.id, i.project_id, i.created_at from issues i
   where i.project_id = ${ISSUE_PROJECT} and i.id % 10 <> 1 order by i.iid desc limit 1`;

const discussionId = (of: string) => `substr(encode(sha256((${of})::text::bytea), 'hex'), 1, 40)`;

const comment = (of: string) => `'The ' || pg_temp.adjective(${of}, 111) || ' ' || pg_temp.noun(${of}, 112) || ' can '
  || pg_temp.verb(${of}, 113) || ' the ' || pg_temp.noun(${of}, 114) || '.'`;

const author = (of: string, sizes: Sizes) => `${BASE} + 1 + pg_temp.pick(${of}, 115, ${sizes.users})`;

/** Threads are numbered; every third one is answered twice, as long as there are notes. */
function notes(sizes: Sizes): string[] {
  const threads = Math.max(3, sizes.threads - busyThreads(sizes));
  const replies = Math.max(0, sizes.notes - sizes.busyNotes - threads);
  const ofThread = (thread: string) =>
    `${BASE} + 1 + 10 * pg_temp.pick(${thread}, 110, ${Math.max(1, Math.floor(sizes.issues / 10))})`;
  const insert = `insert into notes (project_id, issue_id, discussion_id, type, note, author_id, created_at, updated_at)`;
  return [
    `${insert}
     select i.project_id, i.id, ${discussionId('t')}, case when t % 3 = 0 then 'DiscussionNote' end, ${comment('t')},
            ${author('t', sizes)}, made.at, made.at
       from generate_series(1, ${threads}) t join issues i on i.id = ${ofThread('t')}
      cross join lateral (select i.created_at + t * interval '1 second' as at) made`,
    `${insert}
     select i.project_id, i.id, ${discussionId('thread.t')}, 'DiscussionNote', ${comment('r + 7')}, ${author('r + 7', sizes)}, made.at, made.at
       from generate_series(1, ${replies}) r
      cross join lateral (select 3 * ((r - 1) / 2 % (${threads} / 3) + 1) as t) thread
       join issues i on i.id = ${ofThread('thread.t')}
      cross join lateral (select i.created_at + thread.t * interval '1 second' + r * interval '1 minute' as at) made`,
    `${insert}
     select i.project_id, i.id, ${discussionId(`'busy ' || n / ${BUSY_NOTES}`)}, 'DiscussionNote', ${comment('n')}, ${author('n', sizes)},
            made.at, made.at
       from (${BUSY}) i, generate_series(0, ${busyThreads(sizes) * BUSY_NOTES - 1}) n
      cross join lateral (select i.created_at + n * interval '1 minute' as at) made`,
    `${insert}
     select i.project_id, i.id, ${discussionId(`'plain ' || n`)}, null, ${comment('n')}, ${author('n', sizes)}, made.at, made.at
       from (${PLAIN}) i, generate_series(1, ${SINGLES}) n
      cross join lateral (select i.created_at + n * interval '1 minute' as at) made`,
    `update issues i set user_notes_count = n.count
       from (select n.issue_id, count(*) as count from notes n group by 1) n where n.issue_id = i.id`,
  ];
}

/**
 * Half of the events belong to one project: its issues were created, closed and reopened; the others are about
 * comments.
 */
const events = (sizes: Sizes): string[] => {
  const half = Math.floor(sizes.events / 2);
  const own = Math.max(1, Math.floor(sizes.issues / 10));
  return [
    `insert into events (project_id, author_id, action, issue_id, created_at)
     select ${PLANNING_PROJECT}, ${author('e', sizes)},
            case when e <= ${own} then 'created' when (e - 1) / ${own} % 2 = 1 then 'closed' else 'reopened' end,
            i.id, ${EPOCH} + e * interval '1000 days' / ${half}
       from generate_series(1, ${half}) e
       join issues i on i.id = ${BASE} + 10 * ((e - 1) % ${own} + 1) and i.project_id = ${PLANNING_PROJECT}`,
    `insert into events (project_id, author_id, action, note_id, created_at)
     select n.project_id, n.author_id, 'commented', n.id, n.created_at
       from notes n where n.author_id is not null order by n.id limit ${half}`,
  ];
};

const FULL = ['notes', 'events'];

/** Comments on issues, and what people did. */
export const discussions: Part = {
  name: 'comments and events',
  statements: (sizes) => [...setAside(FULL), ...notes(sizes), ...events(sizes), ...putBack(FULL)],
};
