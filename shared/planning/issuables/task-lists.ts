/** An item of a task list: `- [ ] text`, `1. [x] text`, also within quotes and lists. */
const ITEM = /^[ \t>]{0,64}(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}\[([ xX~])\][ \t]/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

export interface TaskCounts {
  readonly task_count: number;
  readonly completed_task_count: number;
}

/**
 * Counts the items of the task lists in Markdown, and those that are ticked; in linear time. Code between fences is
 * none, and an item with `[~]` does not apply and counts for nothing.
 */
export function countTasks(markdown: string | null | undefined): TaskCounts {
  let fence = '';
  let count = 0;
  let completed = 0;
  for (const line of (markdown ?? '').split('\n')) {
    const [, mark = ''] = FENCE.exec(line) ?? [];
    if (fence !== '') {
      if (mark.startsWith(fence)) fence = '';
      continue;
    }
    if (mark !== '') {
      fence = mark;
      continue;
    }
    const state = ITEM.exec(line)?.[1];
    if (state === undefined || state === '~') continue;
    count += 1;
    if (state !== ' ') completed += 1;
  }
  return { task_count: count, completed_task_count: completed };
}
