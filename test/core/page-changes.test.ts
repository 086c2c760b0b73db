import test from 'ava';
import { pageChangePayload, readPageChange } from '../../shared/core/page-changes/page-changes.js';
import { RecentChanges } from '../../shared/core/page-changes/recent-changes.js';

// Contract: web.live.limits
test('a notification names the projects, each once, and says that they are many where they do not fit', (t) => {
  const some = pageChangePayload('pipelines', [7, 8, 7]);
  t.is(some, 'pipelines 7,8');
  t.deepEqual(readPageChange(some), { kind: 'pipelines', ids: [7, 8] });
  const ids = Array.from({ length: 5_000 }, (_none, index) => 1_000_000 + index);
  const many = pageChangePayload('pipelines', ids);
  t.true(Buffer.byteLength(many) < 8_000);
  t.deepEqual(readPageChange(many), { kind: 'pipelines', ids: null });
  for (const nonsense of ['', 'pipelines', 'pipelines ', 'pipelines one']) t.is(readPageChange(nonsense), null);
});

// Contract: web.live.gap
test('what changed is known for ten minutes, and nothing of the time before it was heard of', (t) => {
  const minute = 60_000;
  const recent = new RecentChanges();
  t.false(recent.knows(0, 0));
  recent.begin(100 * minute);
  t.false(recent.knows(99 * minute, 100 * minute));
  t.true(recent.knows(100 * minute, 101 * minute));
  t.false(recent.knows(100 * minute, 111 * minute));
  recent.note('pipelines', [1, 2], 101 * minute);
  recent.note('pipelines', [3], 102 * minute);
  t.true(recent.changed('pipelines', 1, 101 * minute));
  t.false(recent.changed('pipelines', 1, 102 * minute));
  t.false(recent.changed('pipeline_schedules', 1, 0));
  t.deepEqual(recent.projects('pipelines', 102 * minute), [3]);
  t.deepEqual(recent.projects('pipelines', 0), [1, 2, 3]);
  recent.note('pipelines', null, 103 * minute);
  t.true(recent.changed('pipelines', 9, 103 * minute));
  t.is(recent.projects('pipelines', 103 * minute), null);
  t.deepEqual(recent.projects('merge_requests', 0), []);
  // More than it keeps: what was before is not known any more.
  recent.note(
    'pipelines',
    Array.from({ length: 30_000 }, (_none, index) => index + 1),
    104 * minute,
  );
  t.false(recent.knows(103 * minute, 104 * minute));
  recent.end();
  t.false(recent.knows(104 * minute, 104 * minute));
});
