import { settingNames } from './settings.mjs';

/** Ours too, without being settings of the product: what the tools of this checkout read. */
const known = ['CAPSTAN_REVISION', 'CAPSTAN_PROCESS', 'CAPSTAN_SOCKET', 'CAPSTAN_LAUNCH_DEBUG', 'CAPSTAN_FAULTS'];
const ofTools = /^CAPSTAN_(TEST|TESTS|SEED|BENCH)_/;

/** What others read, however near it is to a name of ours. */
const ofOthers = /^(POST|HOSTS|PORTS|HOME|PATH|PS\d)$/;

/**
 * Variables that look as if they were meant for us and are not read, each with the name that was probably meant.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]} a sentence for each
 */
export function doubtfulNames(env) {
  return Object.keys(env).flatMap((name) => {
    if (settingNames.includes(name) || known.includes(name) || ofTools.test(name) || ofOthers.test(name)) return [];
    const bare = name.replace(/^CAPSTAN_/, '');
    const [near] = settingNames
      .filter((setting) => isNear(bare, setting))
      .sort((a, b) => distance(bare, a) - distance(bare, b));
    if (near) return [`${name} is not a setting; did you mean ${near}?`];
    return bare === name ? [] : [`${name} is not a setting; the README lists them.`];
  });
}

/** A short name is a slip from many others: one letter is all it may differ in, and its first one must be right. */
function isNear(name, setting) {
  if (name.length < 4 || Math.abs(name.length - setting.length) > 2) return false;
  if (setting.length <= 7)
    return name[0] === setting[0] && distance(name, setting) <= (isSwapOf(name, setting) ? 2 : 1);
  return distance(name, setting) <= 2;
}

const isSwapOf = (name, setting) => [...name].sort().join('') === [...setting].sort().join('');

/** How many letters one must put in, take out or replace to come from one text to the other. */
function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_value, at) => at);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, wanted] of [...other].entries())
      next.push(Math.min(row[j] + (letter === wanted ? 0 : 1), row[j + 1] + 1, next[j] + 1));
    row = next;
  }
  return row[other.length];
}
