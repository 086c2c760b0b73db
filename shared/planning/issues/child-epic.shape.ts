import { out, shape } from '../../core/operations/shape.js';
import { epicLoads, epicReference, epicShape, epicUrl } from '../epics/epic.shape.js';
import type { ListedEpic } from '../epics/epic.record.js';

/** An epic that was made below another one: all that epics show, and what the public API calls a linked epic. */
export const newChildEpic = shape<ListedEpic>(
  'NewChildEpic',
  {
    ...epicShape.fields,
    has_children: out.boolean(() => false),
    has_issues: out.boolean(() => false),
    reference: out.text((epic) => epicReference(epic.seen_from, epic)),
    url: out.text(epicUrl),
    relation_url: out.nullableText(() => null),
  },
  { loads: epicLoads },
);
