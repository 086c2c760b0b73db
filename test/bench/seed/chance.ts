import type { Part } from './sizes.js';

const array = (list: string) => `array['${list.split(/\s+/).join("', '")}']`;

const ADJECTIVES = array(`amber bold brisk calm clever crisp daring early eager fair fast fine gentle golden grand happy
  hidden humble keen kind lean light lively lucky mellow merry modern noble open patient plain polite proud quick quiet
  rapid ready royal rustic sharp silent simple sleek smart smooth solid steady stellar subtle sunny swift tidy tiny vast
  vivid warm wild wise witty young`);
const NOUNS = array(`anchor arrow atlas badger beacon beaver billing bridge broker builder canvas catalog cedar clock
  cluster comet compass console courier crane dashboard delta ember engine falcon ferry forge galaxy garden gateway
  glacier harbor hawk heron index inventory island journal kernel ladder ledger lighthouse loom magnet maple meadow
  mirror monitor nebula notebook oasis orbit otter parser pipeline planner portal prism quarry queue radar relay river
  router scanner scheduler sensor shuttle signal sparrow storage tracker tunnel valley vault walnut weaver widget zephyr`);
const VERBS =
  array(`archive balance collect compare deliver encrypt forecast import measure merge migrate notify observe
  order parse predict publish queue render replay report route schedule search serve simulate sort store stream sync
  test trace translate verify watch`);

const word = (name: string, list: string) => `
  create or replace function pg_temp.${name}(number bigint, salt bigint) returns text
    language sql immutable parallel safe
    return (${list})[1 + pg_temp.pick(number, salt, array_length(${list}, 1))]`;

/**
 * Chance that comes out the same each time: every number is drawn from a row's number and a salt, so that a dataset
 * of one size always holds the same.
 */
export const chance: Part = {
  name: 'chance',
  statements: () => [
    `create or replace function pg_temp.pick(number bigint, salt bigint, below bigint) returns bigint
       language sql immutable parallel safe
       return (hashint8extended(number, salt) & 4611686018427387903) % below`,
    word('adjective', ADJECTIVES),
    word('noun', NOUNS),
    word('verb', VERBS),
  ],
};
