// Wide blocks and tables can be scrolled with the keyboard; captions of the navigation have a level.
document.addEventListener("DOMContentLoaded", () => {
  for (const wide of document.querySelectorAll("pre, .table-wrapper, .formula")) {
    wide.tabIndex = wide.scrollWidth > wide.clientWidth ? 0 : -1;
  }
  for (const caption of document.querySelectorAll("p[role=heading]")) caption.ariaLevel = "2";
});
