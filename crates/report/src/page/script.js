(() => {
  "use strict";
  const root = document.documentElement;
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const search = one("#search");
  const help = one("#help");

  // Light or dark: what the system says, until the reader chooses.
  const stored = (value) => {
    try {
      if (value) localStorage.setItem("heapwright-theme", value);
      return localStorage.getItem("heapwright-theme");
    } catch {
      return null;
    }
  };
  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = one("#theme");
  const setTheme = (name) => {
    if (name === "light" || name === "dark") root.dataset.theme = name;
    theme.setAttribute("aria-pressed", String(isDark()));
  };
  setTheme(stored());
  const toggleTheme = () => {
    const name = isDark() ? "light" : "dark";
    setTheme(name);
    stored(name);
  };
  theme.addEventListener("click", toggleTheme);

  // Search: a test stays if every word is in its summary or in the name of its method.
  const lower = (element) => (element ? element.textContent.toLowerCase() : "");
  const methods = all(".method").map((element) => ({
    element,
    entry: one(`.side a[href="#${element.id}"]`)?.parentElement,
    text: lower(one("h2", element)),
    tests: all(".test", element).map((test) => ({ element: test, text: lower(one("summary", test)) })),
  }));
  const status = one("#status");
  const findings = all(".finding").map((element) => ({ element, text: lower(element) }));
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (...texts) => words.every((word) => texts.some((text) => text.includes(word)));
    let shownMethods = 0;
    let shownTests = 0;
    for (const method of methods) {
      const hasStatus = !status?.value || method.element.dataset.state.split(" ").includes(status.value);
      const byName = hasStatus && fits(method.text);
      let any = byName;
      for (const test of method.tests) {
        const shown = byName || (hasStatus && fits(method.text, test.text));
        test.element.hidden = !shown;
        any ||= shown;
        shownTests += shown ? 1 : 0;
      }
      method.element.hidden = !any;
      // Who looks for a test does not look for code.
      method.element.classList.toggle("few", !byName);
      if (method.entry) method.entry.hidden = !any;
      shownMethods += any ? 1 : 0;
    }
    for (const finding of findings) finding.element.hidden = !fits(finding.text);
    one(".part").hidden = words.length > 0 && findings.every((finding) => finding.element.hidden);
    const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
    const found = one("#found");
    found.hidden = words.length === 0;
    found.textContent =
      shownMethods === 0
        ? "Nothing matches."
        : `${count(shownTests, "test")} in ${count(shownMethods, "method")}.`;
    one("#overview").hidden = words.length > 0;
  };
  search.addEventListener("input", filter);
  if (status) {
    status.hidden = false;
    status.addEventListener("change", filter);
  }

  // A button beside each test copies its text.
  for (const source of all("pre.src")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(source.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(source);
        button.textContent = "Selected";
      }
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
    source.previousElementSibling?.append(button);
  }

  // The lines of the test that was opened or focused last are marked in the code of its method.
  const show = (test) => {
    const method = test.closest(".method");
    const path = new Set((test.dataset.path || "").split(" "));
    for (const list of all(".code .lines:not(.core)", method)) {
      for (const line of list.children) {
        line.classList.toggle("on", test.open && path.has(String(line.value)));
      }
    }
  };
  for (const test of all(".test")) {
    test.addEventListener("toggle", () => show(test));
    one("summary", test).addEventListener("focus", () => show(test));
  }

  // The list of methods shows where the reader is.
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const link = one(`.side a[href="#${target.id}"]`);
        if (isIntersecting) link?.setAttribute("aria-current", "true");
        else link?.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-20% 0px -70% 0px" },
  );
  for (const method of methods) seen.observe(method.element);

  // Keys.
  const move = (by) => {
    const summaries = all(".test > summary").filter((summary) => summary.checkVisibility());
    if (summaries.length === 0) return;
    const at = summaries.indexOf(document.activeElement?.closest?.(".test > summary"));
    const next = at < 0 ? (by > 0 ? 0 : summaries.length - 1) : at + by;
    const target = summaries[Math.min(Math.max(next, 0), summaries.length - 1)];
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const active = document.activeElement;
    if (active === search) {
      if (event.key === "Escape") {
        search.value = "";
        filter();
        search.blur();
      } else if (event.key === "Enter" || event.key === "ArrowDown") {
        event.preventDefault();
        move(1);
      }
      return;
    }
    const onTest = active?.matches?.(".test > summary");
    const actions = {
      "/": () => search.focus(),
      j: () => move(1),
      k: () => move(-1),
      t: toggleTheme,
      "?": () => help.showModal(),
      ArrowDown: onTest ? () => move(1) : null,
      ArrowUp: onTest ? () => move(-1) : null,
      ArrowRight: onTest ? () => (active.parentElement.open = true) : null,
      ArrowLeft: onTest ? () => (active.parentElement.open = false) : null,
    };
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : null;
    if (action) {
      event.preventDefault();
      action();
    }
  });
  one("#keys").addEventListener("click", () => help.showModal());
  one("#help button").addEventListener("click", () => help.close());

  // A link to a test opens it.
  const follow = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target?.matches("details.test")) {
      target.open = true;
      target.scrollIntoView();
      one("summary", target).focus({ preventScroll: true });
    }
  };
  addEventListener("hashchange", follow);
  follow();

  // The list of methods is closed at first where it would fill the screen.
  const side = one(".side details");
  if (side && matchMedia("(max-width: 60rem)").matches) side.open = false;
  for (const control of all(".bar [hidden]")) control.hidden = false;
})();
