import { out, shape } from '../../core/operations/shape.js';
import { licenseOf } from '../projects/license-list.js';
import type { License } from '../projects/license-list.js';

/** Seed 2.10 "License". */
export const licenseShape = shape<License>('License', {
  key: out.text((license) => license.key),
  name: out.text((license) => license.name),
  nickname: out.nullableText((license) => license.nickname),
  html_url: out.nullableText((license) => license.html_url),
  source_url: out.nullableText((license) => license.source_url),
});

/** The licence of a stored key; null where the repository has no licence file. */
export const shownLicense = (key: string | null): License | null => (key === null ? null : licenseOf(key));
