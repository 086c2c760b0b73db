import { out, shape } from '../../core/shape.js';
import { accessEntryShape } from '../protected-refs/access-entry.shape.js';
import { loadEntries } from '../protected-refs/access-entries.js';
import type { ProtectedTagRecord } from './protected-tag.finder.js';

/** A protected tag (protected-tags.md section 2): it has no id and no times. */
export const protectedTagShape = shape<ProtectedTagRecord>(
  'ProtectedTag',
  {
    name: out.text((tag) => tag.name),
    create_access_levels: out.records(accessEntryShape, (tag) => tag.entries ?? []),
  },
  {
    async load(ctx, tags) {
      const entries = await loadEntries(
        ctx,
        'tag',
        tags.map((tag) => tag.id),
      );
      for (const tag of tags) tag.entries = entries.get(tag.id) ?? [];
    },
  },
);
