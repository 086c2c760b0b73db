import { load } from '../../core/context/loads.js';
import { out, shape } from '../../core/operations/shape.js';
import { accessEntryShape } from './access-entry.shape.js';
import { loadEntries } from './access-entries.js';
import type { ProtectedTagRecord } from './protected-tag.finder.js';

const entries = load(
  ({ id }: Readonly<ProtectedTagRecord>) => id,
  (ctx, rules) =>
    loadEntries(
      ctx,
      'tag',
      rules.map(({ id }) => id),
    ),
);

/** A protected tag (protected-tags.md section 2): it has no id and no times. */
export const protectedTagShape = shape<ProtectedTagRecord>(
  'ProtectedTag',
  {
    name: out.text((tag) => tag.name),
    create_access_levels: out.records(accessEntryShape, (tag, ctx) => entries.of(tag, ctx) ?? []),
  },
  { loads: [entries] },
);
