import { Moon, Sun } from 'lucide-react';
import { Button } from './Button.js';
import { chooseTheme, useTheme } from './theme.js';

/** Changes between light and dark colours. */
export function ThemeSwitch() {
  const theme = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  const Icon = theme === 'dark' ? Sun : Moon;
  return (
    <Button
      kind="quiet"
      aria-label={`Switch to ${other} theme`}
      title={`Switch to ${other} theme`}
      onClick={() => chooseTheme(other)}
    >
      <Icon size={18} aria-hidden />
    </Button>
  );
}
