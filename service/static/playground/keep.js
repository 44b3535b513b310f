// What the browser keeps for us: for good, or as long as the tab is open. It may refuse to; then nothing is kept.

export const Keep = {
  read(name, where = "localStorage") {
    try {
      return window[where].getItem(name);
    } catch {
      return null;
    }
  },

  write(name, text, where = "localStorage") {
    try {
      window[where].setItem(name, text);
    } catch { /* no room, or not allowed */ }
  },
};
