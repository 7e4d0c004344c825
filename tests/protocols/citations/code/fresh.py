"""Snippets as a chat model writes them in an analysis of medical data, labelled before the checker saw them.

`item` is what the label speaks of; "" = the whole snippet is sound. Facts of packages are those of their documentation.
"""

from typing import Literal, NamedTuple


class Fresh(NamedTuple):
    """One snippet: its language, code, and whether `item` exists, doesn't, or can't be known without more than is at hand."""

    language: str
    label: Literal["ok", "nonexistent", "not_checkable"]
    item: str
    code: str


SNIPPETS = (
    # ---- pandas, numpy
    Fresh("python", "ok", "", "import pandas as pd\n\ndf = pd.read_csv('labs.csv', parse_dates=['drawn_at'])\nlatest = df.sort_values('drawn_at').groupby('patient_id').tail(1)\nprint(latest['creatinine'].describe())"),
    Fresh("python", "nonexistent", "read_dicom", "import pandas as pd\n\nmeta = pd.read_dicom('scan.dcm')"),
    Fresh("python", "nonexistent", "append", "import pandas as pd\n\nrows = pd.DataFrame({'id': [1]})\nrows = rows.append({'id': 2}, ignore_index=True)"),
    Fresh("python", "ok", "", "import pandas as pd\n\ndef egfr(cr, age, female):\n    k, a = (0.7, -0.241) if female else (0.9, -0.302)\n    return 142 * min(cr / k, 1) ** a * max(cr / k, 1) ** -1.2 * 0.9938 ** age\n\ndf = pd.DataFrame({'cr': [0.8], 'age': [60], 'female': [True]})\ndf['egfr'] = df.apply(lambda r: egfr(r.cr, r.age, r.female), axis=1)"),
    Fresh("python", "nonexistent", "fill_method", "import pandas as pd\n\nleft = pd.DataFrame({'id': [1]})\nmerged = pd.merge(left, left, on='id', fill_method='ffill')"),
    Fresh("python", "nonexistent", "nanmeadian", "import numpy as np\n\nvalues = np.array([1.2, np.nan, 3.4])\nprint(np.nanmeadian(values))"),
    Fresh("python", "ok", "", "import numpy as np\n\nrng = np.random.default_rng(7)\nboot = [rng.choice([1, 2, 3], size=3).mean() for _ in range(1000)]\nlow, high = np.percentile(boot, [2.5, 97.5])"),
    Fresh("python", "nonexistent", "confidence_interval", "import numpy as np\n\nlow, high = np.confidence_interval([1.0, 2.0, 3.0], level=0.95)"),
    Fresh("python", "nonexistent", "method", "import numpy as np\n\nsd = np.std([1.0, 2.0], method='unbiased')"),
    Fresh("python", "ok", "", "import pandas as pd\n\nwide = pd.DataFrame({'id': [1, 1], 'lab': ['na', 'k'], 'value': [140, 4.1]}).pivot_table(index='id', columns='lab', values='value', aggfunc='mean')\nwide.columns.name = None"),
    # ---- scikit-learn
    Fresh("python", "ok", "", "from sklearn.linear_model import LogisticRegression\nfrom sklearn.metrics import roc_auc_score, brier_score_loss\nfrom sklearn.model_selection import StratifiedKFold, cross_val_predict\n\nmodel = LogisticRegression(max_iter=1000, class_weight='balanced')\nfolds = StratifiedKFold(n_splits=5, shuffle=True, random_state=0)"),
    Fresh("python", "nonexistent", "sensitivity_score", "from sklearn.metrics import sensitivity_score, confusion_matrix\n\nprint(sensitivity_score([0, 1], [0, 1]))"),
    Fresh("python", "nonexistent", "early_stop", "from sklearn.ensemble import RandomForestClassifier\n\nclf = RandomForestClassifier(n_estimators=500, early_stop=True)"),
    Fresh("python", "nonexistent", "MedicalImputer", "from sklearn.impute import KNNImputer, MedicalImputer\n\nimputer = MedicalImputer(strategy='median')"),
    Fresh("python", "nonexistent", "sklearn.survival", "from sklearn.survival import CoxPHSurvivalAnalysis\n\ncox = CoxPHSurvivalAnalysis()"),
    Fresh("python", "ok", "", "from sklearn.calibration import calibration_curve\nfrom sklearn.pipeline import make_pipeline\nfrom sklearn.preprocessing import StandardScaler\nfrom sklearn.svm import SVC\n\npipe = make_pipeline(StandardScaler(), SVC(probability=True))\nfrac, mean = calibration_curve([0, 1, 1], [0.1, 0.6, 0.9], n_bins=2)"),
    Fresh("python", "nonexistent", "plot_roc_curve", "from sklearn.metrics import plot_roc_curve\n\nplot_roc_curve(clf, X_test, y_test)"),
    # ---- lifelines is on PyPI and not installed; scipy and statsmodels are
    Fresh("python", "not_checkable", "lifelines", "from lifelines import CoxPHFitter\n\ncph = CoxPHFitter(penalizer=0.1)\ncph.fit(df, duration_col='months', event_col='died')\ncph.print_summary()"),
    Fresh("python", "ok", "", "from scipy import stats\n\nt, p = stats.ttest_ind([1, 2, 3], [2, 3, 4], equal_var=False)\nodds, p2 = stats.fisher_exact([[8, 2], [1, 5]])"),
    Fresh("python", "nonexistent", "ttest_welch", "from scipy import stats\n\nt, p = stats.ttest_welch([1, 2, 3], [2, 3, 4])"),
    Fresh("python", "ok", "", "import statsmodels.formula.api as smf\nimport pandas as pd\n\ndf = pd.DataFrame({'y': [0, 1, 1], 'x': [1, 2, 3]})\nfit = smf.logit('y ~ x', data=df).fit(disp=False)\nprint(fit.summary())"),
    Fresh("python", "nonexistent", "KaplanMeier", "from statsmodels.duration.survfunc import KaplanMeier\n\nkm = KaplanMeier([1, 2, 3], [1, 0, 1])"),
    Fresh("python", "ok", "", "from scipy.stats import chi2_contingency, mannwhitneyu\n\nchi2, p, dof, expected = chi2_contingency([[10, 20], [20, 10]])\nu = mannwhitneyu([1, 2], [3, 4], alternative='two-sided')"),
    # ---- requests, pydicom, others
    Fresh("python", "ok", "", "import requests\n\nreply = requests.get('https://fhir.example.org/Patient', params={'_count': 10}, timeout=30)\nreply.raise_for_status()\nfor entry in reply.json().get('entry', []):\n    print(entry['resource']['id'])"),
    Fresh("python", "nonexistent", "get_json", "import requests\n\npatients = requests.get_json('https://fhir.example.org/Patient')"),
    Fresh("python", "nonexistent", "retries", "import requests\n\nreply = requests.get('https://fhir.example.org/Patient', retries=3)"),
    Fresh("python", "ok", "", "import pydicom\n\nds = pydicom.dcmread('scan.dcm', stop_before_pixels=True)\nprint(ds.PatientID, ds.StudyDate)"),
    Fresh("python", "nonexistent", "read_series", "import pydicom\n\nvolume = pydicom.read_series('folder/')"),
    Fresh("python", "not_checkable", "monai", "import monai\nfrom monai.transforms import Compose, LoadImage\n\nsteps = Compose([LoadImage(image_only=True)])"),
    Fresh("python", "ok", "", "import json\nimport pathlib\nfrom collections import Counter\n\ncodes = Counter()\nfor path in pathlib.Path('notes').glob('*.json'):\n    codes.update(json.loads(path.read_text())['icd10'])\nprint(codes.most_common(10))"),
    Fresh("python", "nonexistent", "parse_iso", "from datetime import datetime\n\nborn = datetime.parse_iso('1980-02-01')"),
    Fresh("bash", "nonexistent", "medlinepy", "pip install medlinepy pandas"),
    Fresh("python", "nonexistent", "vitalparse", "import vitalparse as vp\n\nframe = vp.read_vitals('monitor.csv')"),
    # ---- R, Scala, Elixir: installs and imports
    Fresh("r", "not_checkable", "survival", "library(survival)\nfit <- coxph(Surv(time, status) ~ age + sex, data = lung)\nsummary(fit)"),
    Fresh("r", "nonexistent", "clinicalsurvivalkit", "install.packages('clinicalsurvivalkit')\nlibrary(clinicalsurvivalkit)"),
    Fresh("r", "ok", "dplyr", "install.packages(c('dplyr', 'survminer'))\nlibrary(dplyr)\nlabs %>% group_by(id) %>% summarise(k = mean(k))"),
    Fresh("scala", "nonexistent", "org.medstat", 'libraryDependencies += "org.medstat" %% "spark-survival" % "1.2.0"'),
    Fresh("scala", "ok", "spark-sql", 'libraryDependencies += "org.apache.spark" %% "spark-sql" % "3.5.1"\n\nimport org.apache.spark.sql.SparkSession'),
    Fresh("elixir", "nonexistent", "fhir_magic", 'defp deps do\n  [\n    {:jason, "~> 1.4"},\n    {:fhir_magic, "~> 0.3"}\n  ]\nend'),
    Fresh("elixir", "ok", "explorer", 'Mix.install([{:explorer, "~> 0.8"}])\n\nrequire Explorer.DataFrame, as: DF\nDF.from_csv!("labs.csv")'),
)  # fmt: skip
