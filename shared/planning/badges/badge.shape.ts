import { out, shape } from '../../core/operations/shape.js';
import type { OutField } from '../../core/operations/shape.js';
import { rendered } from './badge-placeholders.js';
import type { BadgePreview, BadgeRecord } from './badge.record.js';

const urls: Record<string, OutField<BadgePreview>> = {
  name: out.nullableText((badge) => badge.name ?? null),
  link_url: out.text((badge) => badge.link_url),
  image_url: out.text((badge) => badge.image_url),
  rendered_link_url: out.text((badge) => rendered(badge.link_url, badge.values)),
  rendered_image_url: out.text((badge) => rendered(badge.image_url, badge.values)),
};

/** What URLs become that are tried out. */
export const badgePreviewShape = shape<BadgePreview>('BadgePreview', urls);

/** A badge of a project or group (core-resources.md section 8). */
export const badgeShape = shape<BadgeRecord>('Badge', {
  ...(urls as Record<string, OutField<BadgeRecord>>),
  id: out.integer((badge) => badge.id),
  kind: out.text((badge) => (badge.project_id ? 'project' : 'group'), { enum: ['project', 'group'] }),
});
