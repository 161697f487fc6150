/** Light or dark: follows the system until the user chooses. The same rule runs before the first paint in public/theme.js. */
import { create } from 'zustand';

import { readStored, STORAGE, writeStored } from './storage.ts';

export type AppearanceChoice = 'system' | 'light' | 'dark';

interface AppearanceState {
  choice: AppearanceChoice;
  shown: 'light' | 'dark';
}

const system = matchMedia('(prefers-color-scheme: dark)');

function storedChoice(): AppearanceChoice {
  const value = readStored(STORAGE.appearance);
  return value === 'light' || value === 'dark' ? value : 'system';
}

function resolve(choice: AppearanceChoice): 'light' | 'dark' {
  if (choice !== 'system') return choice;
  return system.matches ? 'dark' : 'light';
}

export const useAppearance = create<AppearanceState>(() => {
  const choice = storedChoice();
  return { choice, shown: resolve(choice) };
});

export function chooseAppearance(choice: AppearanceChoice): void {
  writeStored(STORAGE.appearance, choice === 'system' ? null : choice);
  apply(choice);
}

function apply(choice: AppearanceChoice): void {
  const shown = resolve(choice);
  document.documentElement.dataset['theme'] = shown;
  useAppearance.setState({ choice, shown });
}

system.addEventListener('change', () => apply(useAppearance.getState().choice));
