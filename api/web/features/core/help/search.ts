import { useSearchParams } from 'react-router';
import { useDebounced } from '../../../ui/use-debounced.js';

/** Maximum length of a search, in characters, as the service accepts it. */
export const LONGEST_SEARCH = 200;

/** Pause in typing before the search starts, in milliseconds. */
const PAUSE_MS = 150;

/** The text of the search field, kept in the address as `?search=`; `search` is the text once typing pauses. */
export function useSearch(): { typed: string; search: string; type: (value: string) => void } {
  const [params, setParams] = useSearchParams();
  const typed = params.get('search') ?? '';
  const search = useDebounced(typed.trim(), PAUSE_MS);
  const type = (value: string) => setParams(value === '' ? {} : { search: value }, { replace: true });
  return { typed, search, type };
}
