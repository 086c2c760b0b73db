import spdx from 'spdx-license-list';

/** A licence as the API shows it. */
export interface License {
  /** `mit`, `apache-2.0`, `gpl-3.0`. */
  key: string;
  name: string;
  nickname: string | null;
  html_url: string | null;
  source_url: string | null;
}

/** Name of a license file whose text matches no known license. */
export const OTHER: License = { key: 'other', name: 'Other', nickname: null, html_url: null, source_url: null };

/**
 * Licenses that the Open Source Initiative does not list: common ones, and those that are similar enough to a listed
 * one to be mistaken for it.
 */
const MORE = (
  'CC0-1.0 CC-BY-3.0 CC-BY-4.0 CC-BY-SA-3.0 CC-BY-SA-4.0 CC-BY-ND-4.0 CC-BY-NC-4.0 CC-BY-NC-SA-4.0 CC-BY-NC-ND-4.0 ' +
  'WTFPL ODbL-1.0 Vim Beerware GFDL-1.3-only SSPL-1.0 BUSL-1.1 Elastic-2.0 PolyForm-Noncommercial-1.0.0 OpenSSL curl ' +
  'JSON X11 BSD-4-Clause BSD-3-Clause-Attribution BSD-3-Clause-Clear BSD-3-Clause-HP BSD-3-Clause-No-Nuclear-License ' +
  'MIT-advertising MIT-feh MIT-enna MITNFA Apache-1.0'
).split(' ');

const NICKNAMES: Record<string, string> = {
  'agpl-3.0': 'GNU AGPLv3',
  'gpl-2.0': 'GNU GPLv2',
  'gpl-3.0': 'GNU GPLv3',
  'lgpl-2.1': 'GNU LGPLv2.1',
  'lgpl-3.0': 'GNU LGPLv3',
};

/**
 * Several ids share one license text and differ only in its context: `-or-later`, `+`, the ids without `-only`, and
 * variants about reserved names and copyleft.
 */
const isSpare = (id: string) => /(-or-later|\+|-RFN|-no-copyleft-exception)$/.test(id) || `${id}-only` in spdx;

/** SPDX id to the key that the public API uses. */
const getKey = (id: string) => id.replace(/-only$/, '').toLowerCase();

/** Ids of the licences that are recognised, by key. */
export const LICENSE_IDS: ReadonlyMap<string, string> = new Map(
  Object.entries(spdx)
    .filter(([id, { osiApproved }]) => (osiApproved || MORE.includes(id)) && !isSpare(id))
    .map(([id]) => [getKey(id), id]),
);

/** The licence of a key, or null where there is none. */
export function findLicense(key: string): License | null {
  if (key === OTHER.key) return OTHER;
  const id = LICENSE_IDS.get(key);
  if (id === undefined) return null;
  const entry = spdx[id];
  return {
    key,
    name: (entry?.name ?? id).replace(/ only$/, ''),
    nickname: NICKNAMES[key] ?? null,
    html_url: `https://spdx.org/licenses/${id}.html`,
    source_url: entry?.url.split('\n')[0]?.trim() || null,
  };
}
