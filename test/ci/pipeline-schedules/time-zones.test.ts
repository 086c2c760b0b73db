import test from 'ava';
import { displayTimeZones, resolveTimeZone, timeZoneDataVersion } from '../../../shared/ci/cron/time-zones.js';

test('every zone that Intl lists keeps its name', (t) => {
  for (const zone of Intl.supportedValuesOf('timeZone')) t.is(resolveTimeZone(zone), zone);
});

test('older and newer spellings of IANA names are known', (t) => {
  const names =
    'US/Pacific Etc/UTC GMT Zulu Etc/GMT+12 Etc/GMT-14 Etc/GMT-0 Asia/Calcutta Asia/Kolkata Europe/Kiev Europe/Kyiv EST5EDT GB NZ-CHAT';
  for (const name of names.split(' ')) t.is(resolveTimeZone(name), name);
});

test('long display names stand for IANA zones', (t) => {
  t.is(resolveTimeZone('Pacific Time (US & Canada)'), 'America/Los_Angeles');
  t.is(resolveTimeZone('Eastern Time (US & Canada)'), 'America/New_York');
  t.is(resolveTimeZone('Tokyo'), 'Asia/Tokyo');
  t.is(resolveTimeZone('Berlin'), 'Europe/Berlin');
  t.is(resolveTimeZone('UTC'), 'Etc/UTC');
  t.is(resolveTimeZone("Nuku'alofa"), 'Pacific/Tongatapu');
  t.is(resolveTimeZone('International Date Line West'), 'Etc/GMT+12');
});

test('all 152 display names stand for zones that Intl computes with', (t) => {
  const names = displayTimeZones();
  t.is(new Set(names).size, 152);
  for (const name of names)
    t.notThrows(() => new Intl.DateTimeFormat('en-US', { timeZone: resolveTimeZone(name)! }), name);
});

test('names are case-sensitive, and what Intl takes beyond the IANA names is refused', (t) => {
  const names = [
    '',
    ' UTC',
    'utc',
    'us/pacific',
    'europe/berlin',
    'EUROPE/BERLIN',
    'tokyo',
    'PST',
    'IST',
    '+02:00',
    'Local',
    'Factory',
    'Mars/Base',
    'toString',
  ];
  for (const name of names) t.is(resolveTimeZone(name), null, name);
});

test('the release of the zone data is told', (t) => {
  t.regex(timeZoneDataVersion(), /^20\d\d[a-z]/);
});
