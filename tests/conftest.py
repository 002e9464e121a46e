"""What all tests share: fixed seeds, one thread, and no skipping in CI."""

import os

import hypothesis
import pytest
import torch

hypothesis.settings.register_profile("book", deadline=None, derandomize=bool(os.environ.get("CI")))
hypothesis.settings.load_profile("book")
torch.set_num_threads(1)  # sums in a fixed order


@pytest.fixture(autouse=True, scope="session")
def data_directory(tmp_path_factory):
    """Keep tokenised corpora out of the cache of whoever runs the tests; programs inherit it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANNOTATED_TRANSFORMER_DATA", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(autouse=True)
def fixed_seed():
    """Start every test from the same state of torch's generator."""
    torch.manual_seed(0)


def fail_instead_of_skipping(report):
    """In CI everything a test could miss is installed, so a skip hides something."""
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} may not be skipped in CI: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    report = yield
    fail_instead_of_skipping(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    report = yield
    fail_instead_of_skipping(report)
    return report
