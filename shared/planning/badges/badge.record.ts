import type { Badge } from './badge.entity.js';
import type { PlaceholderValues } from './badge-placeholders.js';

/** A badge with the values of its placeholders where it is looked at; null where there is no project to take them from. */
export interface BadgeRecord extends Badge {
  values: PlaceholderValues | null;
}

/** URLs that are tried out before they make a badge. */
export interface BadgePreview extends Pick<BadgeRecord, 'link_url' | 'image_url' | 'values'> {
  readonly name: string | null;
}
