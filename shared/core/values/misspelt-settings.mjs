import { otherSettings, settingRules } from './setting-rules.mjs';

/** The settings of the product; tests and benchmarks must not inherit them. */
export const settingNames = [...Object.keys(settingRules), ...Object.keys(otherSettings)];

/** Other variables of ours that are not settings of the product: they are read by the tools of this repository. */
const ofTools =
  /^CAPSTAN_((TEST|TESTS|SEED|BENCH)_.*|REVISION|PROCESS|SOCKET|HELD|BUILD|LAUNCH_DEBUG|FAULTS|DEVELOPMENT)$/;

/** What others read, however near it is to a name of ours. */
const ofOthers = /^(POST|HOSTS|PORTS|HOME|PATH|PS\d)$/;

/**
 * Variables that look as if they were meant for us and are not read: a sentence for each, with the name that was probably meant.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export function misspeltSettings(env) {
  return Object.keys(env).flatMap((name) => {
    if (settingNames.includes(name) || ofTools.test(name) || ofOthers.test(name)) return [];
    const bare = name.replace(/^CAPSTAN_/, '');
    const near = settingNames.filter((setting) => isNear(bare, setting));
    const [nearest] = near.sort((a, b) => distance(bare, a) - distance(bare, b));
    if (nearest) return [`${name} is not a setting; did you mean ${nearest}?`];
    return bare === name ? [] : [`${name} is not a setting; /help/configuration lists them.`];
  });
}

/**
 * Short names are easily confused: they may differ only in one letter, or two swapped ones, and the first letter must
 * match.
 *
 * @param {string} name @param {string} setting
 */
function isNear(name, setting) {
  if (name.length < 4 || Math.abs(name.length - setting.length) > 2) return false;
  const isSwap = [...name].sort().join() === [...setting].sort().join();
  return (
    distance(name, setting) <= (setting.length > 7 || isSwap ? 2 : 1) && (setting.length > 7 || name[0] === setting[0])
  );
}

/** How many letters one must put in, take out or replace to come from one text to the other. @param {string} one @param {string} other */
function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_value, at) => at);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, expected] of [...other].entries())
      next.push(Math.min(Number(row[j]) + (letter === expected ? 0 : 1), Number(row[j + 1]) + 1, Number(next[j]) + 1));
    row = next;
  }
  return row[other.length] ?? 0;
}
